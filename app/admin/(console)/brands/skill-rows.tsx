'use client'

import type { SkillSettings } from '#lib/brands/schema.ts'
import { RowField } from './row-field.tsx'
import { RowList } from './row-list.tsx'
import { texts } from './texts.ts'

const blank: SkillSettings = { id: '', name: '', description: '', tags: [], examples: [] }
const { fields } = texts

/** The skills of a Brand, in the order of its card. */
export function SkillRows({ skills, disabled }: { skills: readonly SkillSettings[]; disabled: boolean }) {
  return (
    <RowList
      noun="skill"
      initial={skills}
      blank={blank}
      disabled={disabled}
      fields={(skill, index) => {
        const at = `skills[${index}]`
        const rest = disabled ? { readOnly: true } : {}
        return (
          <>
            <RowField {...rest} name={`${at}.id`} label={fields.skillId} value={skill.id} />
            <RowField {...rest} name={`${at}.name`} label={fields.skillName} value={skill.name} />
            <RowField
              {...rest}
              name={`${at}.description`}
              label={fields.skillDescription}
              value={skill.description}
              lines
              className="sm:col-span-2"
            />
            <RowField
              {...rest}
              name={`${at}.tags`}
              label={fields.skillTags}
              hint={fields.skillTagsHint}
              value={skill.tags.join(', ')}
              optional
            />
            <RowField
              {...rest}
              name={`${at}.examples`}
              label={fields.skillExamples}
              hint={fields.skillExamplesHint}
              value={skill.examples.join('\n')}
              lines
              optional
            />
          </>
        )
      }}
    />
  )
}
