const PATH = '/.well-known/agent-card.json'

/** How usual web servers send a Brand's well-known card address on to ours (§2.1). */
export function redirectSnippets(to: string): { name: string; text: string }[] {
  return [
    { name: 'nginx', text: `location = ${PATH} {\n    return 302 ${to};\n}` },
    { name: 'Apache', text: `Redirect 302 "${PATH}" "${to}"` },
    { name: 'Caddy', text: `redir ${PATH} ${to} 302` },
    { name: '_redirects', text: `${PATH} ${to} 302` },
  ]
}
