import { type Document, LineCounter, parseDocument, type YAMLError } from 'yaml'
import { checkStructure } from './check-structure.ts'
import { crossCheck } from './cross-checks.ts'
import { checkSchema } from './describe-issues.ts'
import { type Fault, type Finding, formatPath, type Path } from './fault.ts'
import { outlineSchema } from './outline.ts'
import { type Provision, provisionSchema } from './schema.ts'
import { positionOf, toPosition } from './yaml-positions.ts'

export type ReadProvision =
  | {
      ok: true
      provision: Provision
      /** Says where in the file something stands that turned out wrong later. */
      faultAt(path: Path, reason: string): Fault
    }
  | { ok: false; faults: Fault[] }

type Source = { file: string; document: Document; lines: LineCounter }

const syntaxReasons: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: 'a second document begins here: a provision file has one',
  NON_STRING_KEY: 'a key must be text',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
  TAB_AS_INDENT: 'tabs can not indent: use spaces',
}

/** What YAML itself does not allow. A tag or a version that nobody knows counts too. */
function syntaxFaults({ file, document, lines }: Source): Fault[] {
  const all: YAMLError[] = [...document.errors, ...document.warnings]
  const tooDeep = all.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  return (tooDeep ? [tooDeep] : all).map(({ code, message, pos }) => ({
    file,
    ...toPosition(lines, pos[0]),
    field: '',
    reason: syntaxReasons[code] ?? message,
  }))
}

function toFault({ file, document, lines }: Source, { path, reason, atKey }: Finding): Fault {
  return { file, ...positionOf(document, lines, path, atKey), field: formatPath(path), reason }
}

function inOrder(faults: Fault[]): Fault[] {
  return faults.sort((a, b) => a.line - b.line || a.column - b.column)
}

function wholeFile(file: string, reason: string): ReadProvision {
  return { ok: false, faults: [{ file, line: 1, column: 1, field: '', reason }] }
}

function readContent(source: Source, options: { allowLoopback: boolean }): ReadProvision {
  const content: unknown = source.document.toJS()
  if (content === null || content === undefined) return wholeFile(source.file, 'the file is empty')
  const checked = checkSchema(provisionSchema(options), content)
  const findings = [...(checked.ok ? [] : checked.findings), ...crossCheck(outlineSchema.parse(content))]
  if (checked.ok && findings.length === 0) {
    return {
      ok: true,
      provision: checked.value,
      faultAt: (path, reason) => toFault(source, { path, reason }),
    }
  }
  return { ok: false, faults: inOrder(findings.map((finding) => toFault(source, finding))) }
}

function read(text: string, options: { file: string; allowLoopback: boolean }): ReadProvision {
  const lines = new LineCounter()
  // Keys given twice are found with their path, which the parser does not know.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  })
  const source = { file: options.file, document, lines }
  const syntax = syntaxFaults(source)
  if (syntax.length > 0) return { ok: false, faults: inOrder(syntax) }
  const structure = checkStructure(document)
  if (structure.length > 0) {
    return { ok: false, faults: inOrder(structure.map((finding) => toFault(source, finding))) }
  }
  return readContent(source, options)
}

/**
 * Reads a provision file (YAML). It knows nothing of what is stored: a Brand's domain may still be another's.
 *
 * @param text the file's content
 * @param options.file its name, for the faults
 * @param options.allowLoopback whether URLs may point to this machine
 * @returns the settings, or every fault that was found, from top to bottom. Faults of syntax hide all others.
 */
export function readProvision(
  text: string,
  options: { file: string; allowLoopback: boolean },
): ReadProvision {
  try {
    return read(text, options)
  } catch (error) {
    // The parser limits how much aliases may multiply, and the stack how deep a file may be.
    if (error instanceof ReferenceError)
      return wholeFile(options.file, 'aliases multiply its content too far')
    if (error instanceof RangeError) return wholeFile(options.file, 'is nested too deeply')
    throw error
  }
}
