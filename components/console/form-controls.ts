/** The controls of a form that carry a name. */
function controlsNamed(form: HTMLFormElement, name: string): Element[] {
  return [...form.elements].filter((element) => element.getAttribute('name') === name)
}

/** The controls that somebody sees, in the order of the page, and that have an error. */
function faultyControls(form: HTMLFormElement, errors: Record<string, string[]>): HTMLElement[] {
  return [...form.elements].filter((element): element is HTMLElement => {
    const name = element.getAttribute('name')
    const isFaulty = name !== null && (errors[name]?.length ?? 0) > 0
    return isFaulty && element instanceof HTMLElement && element.getAttribute('type') !== 'hidden'
  })
}

/** Opens whatever is folded around an element. */
function unfold(element: Element): void {
  for (let around = element.closest('details'); around; ) {
    around.open = true
    around = around.parentElement?.closest('details') ?? null
  }
}

/** Unfolds every control that has an error, and puts the focus on the first. False: there is none. */
export function focusFirstError(form: HTMLFormElement, errors: Record<string, string[]>): boolean {
  const faulty = faultyControls(form, errors)
  for (const control of faulty) unfold(control)
  faulty[0]?.focus()
  return faulty.length > 0
}

/** The errors that no visible control of a form can show. */
export function homelessErrors(form: HTMLFormElement | null, errors: Record<string, string[]>): string[] {
  return Object.entries(errors).flatMap(([name, texts]) => {
    const shown =
      form && controlsNamed(form, name).some((control) => control.getAttribute('type') !== 'hidden')
    return shown ? [] : texts
  })
}

/** Writes a value into the controls of that name: text, list or boxes. */
export function fillControl(form: HTMLFormElement, name: string, value: string) {
  for (const control of controlsNamed(form, name)) {
    if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) {
      control.checked =
        control.type === 'radio' ? control.value === value : ['on', 'true', 'yes'].includes(value)
    } else if (
      control instanceof HTMLInputElement ||
      control instanceof HTMLTextAreaElement ||
      control instanceof HTMLSelectElement
    ) {
      control.value = value
    }
  }
}

/** The first text control that says something else than the page was sent with. */
export function findTyped(form: HTMLFormElement): Element | undefined {
  return [...form.elements].find((control) => {
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
    return isText && control.type !== 'hidden' && control.value !== control.defaultValue
  })
}
