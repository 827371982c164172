import { PageHeader } from '#components/ui/page-header.tsx'
import { requirePermission } from '../viewer.ts'

export const dynamic = 'force-dynamic'

export default async function Home() {
  await requirePermission('home.read')
  return <PageHeader title="Home" />
}
