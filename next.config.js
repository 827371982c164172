/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Both doors answer alike: no compression, no redirect to a path without its slash.
  compress: false,
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    'pg',
    'pino',
    '@prisma/client',
    '@prisma/adapter-pg',
    'ioredis',
    'undici',
    '@node-rs/argon2',
    'nodemailer',
  ],
  // `npm test` checks the types; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  // A Brand's OpenAPI document may have 2 MiB.
  experimental: { serverActions: { bodySizeLimit: '3mb' } },
  async rewrites() {
    // The address that Brands know (§5.3), and the page behind it.
    return [{ source: '/a2a/:brandId/oauth/consent', destination: '/consent/:brandId' }]
  },
  async headers() {
    const pages = [
      { key: 'X-Content-Type-Options', value: 'nosniff' },
      { key: 'X-Frame-Options', value: 'DENY' },
      { key: 'Referrer-Policy', value: 'no-referrer' },
    ]
    // Without it a browser sends `Origin: null` with a form, which Next takes for one of another site.
    const forms = [{ key: 'Referrer-Policy', value: 'same-origin' }]
    return [
      { source: '/((?!a2a/|\\.well-known/oauth-authorization-server/).*)', headers: pages },
      { source: '/admin/:path*', headers: forms },
      { source: '/verify', headers: forms },
    ]
  },
}

export default config
