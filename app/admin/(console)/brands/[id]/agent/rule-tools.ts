/** An argument of a tool, as a rule may give it. */
export type ToolArgument = { name: string; required: boolean }

/** What a rule's fields say of a tool. `scope`: that it needs; '' for none. */
export type RuleTool = { scope: string; arguments: readonly ToolArgument[] }

/** The tools that an agent's rules may call, by their names. */
export type RuleTools = Readonly<Record<string, RuleTool>>
