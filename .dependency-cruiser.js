/** Arrows point one way: app → lib/api → lib/protocol → the domains → lib/platform. */
const domains = '^lib/(identity|conversations|delegation|keys|agents|brands|access|provisioning)/'

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domains-know-no-callers',
      comment: 'A domain never imports pages, components, the wire protocol, the API, or the server.',
      severity: 'error',
      from: { path: domains, pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|components|lib/api|lib/protocol|server\\.ts|cli|scripts|e2e|examples)' },
    },
    {
      name: 'platform-stands-alone',
      severity: 'error',
      from: { path: '^lib/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|components|server\\.ts|cli|scripts|e2e|examples|lib/(?!platform/))' },
    },
    {
      name: 'protocol-knows-no-pages',
      severity: 'error',
      from: { path: '^lib/protocol/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|components|server\\.ts|cli|scripts|e2e|examples)' },
    },
    {
      name: 'protocol-knows-no-api',
      severity: 'error',
      from: { path: '^lib/protocol/', pathNot: '\\.test\\.ts$' },
      to: { path: '^lib/api/' },
    },
    {
      name: 'api-knows-no-pages',
      severity: 'error',
      from: { path: '^lib/api/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|components|server\\.ts|cli|scripts|e2e|examples)' },
    },
    {
      name: 'protocol-is-web-standard',
      comment: 'Request in, Response out: no framework below the doors.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: 'node_modules/(next|react|react-dom|hono|@hono)/' },
    },
    {
      name: 'product-knows-no-tests',
      severity: 'error',
      from: { path: '^(app|components|lib|server\\.ts|cli)', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(e2e|examples)/|\\.test\\.tsx?$' },
    },
    {
      name: 'examples-stand-alone',
      comment: 'A personal agent is somebody else: it sees only what is on the wire.',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(app|components|lib|server\\.ts|cli|scripts|prisma)' },
    },
    {
      name: 'conformance-sees-only-the-wire',
      severity: 'error',
      from: { path: '^e2e/conformance/', pathNot: '^e2e/conformance/own-provider\\.ts$' },
      to: { path: '^(app|components|lib|server\\.ts|cli|scripts|prisma)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(\\.next|prisma/generated)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
