import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {optional, rule} from '../../rules.js'
import {projectAction} from '../project-action.js'

const maxDays = 90

const Days = v.pipe(
  v.number(),
  v.safeInteger(),
  rule((days: number) => days >= 1 && days <= maxDays, `Messages are kept for 1 to ${maxDays} days.`),
)

export const changeMessagesConfiguration = projectAction({
  name: 'changeMessagesConfiguration',
  summary: 'switch messages on or off and set how many days they are kept',
  schema: v.object({
    messagesConfiguration: v.object({enabled: v.boolean(), deleteDaysAfterCreation: optional(Days)}),
  }),
  messages: [],
  apply: (project, {messagesConfiguration: {enabled, deleteDaysAfterCreation}}) => ({
    next: withMember(project, 'messages', {
      ...project.messages,
      enabled,
      ...(deleteDaysAfterCreation === undefined ? {} : {deleteDaysAfterCreation}),
    }),
  }),
})
