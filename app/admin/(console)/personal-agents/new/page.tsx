import type { Metadata } from 'next'
import Form from 'next/form'
import { Suspense } from 'react'
import { brandHref } from '#components/console/brand-href.ts'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { Field } from '#components/ui/field.tsx'
import { Input } from '#components/ui/input.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { findProviderDefaults } from '#lib/identity/agent-detail.ts'
import { fetchConfiguration } from '#lib/identity/discover.ts'
import { inspectJwks } from '#lib/identity/inspect-jwks.ts'
import { defaultLimits, type Limits } from '#lib/identity/schema.ts'
import { requirePermission } from '../../../viewer.ts'
import { texts } from '../texts.ts'
import { LookUpResult } from './look-up.tsx'
import { RegisterForm } from './register-form.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.newPage.title }

const LIST = '/admin/personal-agents'
const MAX_ISSUER = 2048

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** The issuer's configuration and keys, then the form that they fill in. */
async function LookedUp({ issuer, defaults }: { issuer: string; defaults: Limits }) {
  const found = await fetchConfiguration(issuer)
  const jwks = 'fault' in found ? undefined : await inspectJwks(found.jwksUri)
  return (
    <>
      <LookUpResult issuer={issuer} found={found} jwks={jwks} />
      <RegisterForm known={'fault' in found ? { issuer } : found} defaults={defaults} />
    </>
  )
}

export default async function NewPersonalAgentPage({ searchParams }: Props) {
  const viewer = await requirePermission('personal-agents.write')
  const { issuer: asked, brand: chosen } = await searchParams
  const brand = typeof chosen === 'string' ? chosen : undefined
  const issuer = typeof asked === 'string' && asked.length <= MAX_ISSUER ? asked.trim() : ''
  const { limits = defaultLimits } = (await findProviderDefaults(viewer)) ?? {}
  const { newPage, fields } = texts
  return (
    <>
      <PageHeader
        crumbs={[{ label: texts.title, href: brandHref(LIST, brand) }, { label: newPage.title }]}
        title={newPage.title}
        description={newPage.description}
      />
      <div className="space-y-6">
        <Card title={newPage.lookUpTitle} description={newPage.lookUpText}>
          <Form action={`${LIST}/new`} className="flex flex-wrap items-end gap-3">
            {brand ? <input type="hidden" name="brand" value={brand} /> : null}
            <Field name="issuer" label={fields.issuer} className="w-full sm:w-96">
              {(control) => (
                <Input
                  {...control}
                  type="url"
                  required
                  autoComplete="off"
                  placeholder="https://agent.example"
                  defaultValue={issuer}
                />
              )}
            </Field>
            <Button type="submit">{newPage.lookUp}</Button>
          </Form>
        </Card>
        {issuer ? (
          <Suspense key={issuer} fallback={<LoadingRows rows={6} />}>
            <LookedUp issuer={issuer} defaults={limits} />
          </Suspense>
        ) : (
          <RegisterForm known={{}} defaults={limits} />
        )}
      </div>
    </>
  )
}
