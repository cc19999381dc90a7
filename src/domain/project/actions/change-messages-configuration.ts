import * as v from 'valibot'
import {defined, withMember} from '../../equal.js'
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
  fields: ['messages'],
  schema: v.object({
    messagesConfiguration: v.object({enabled: v.boolean(), deleteDaysAfterCreation: optional(Days)}),
  }),
  messages: [],
  apply: (project, {messagesConfiguration: {enabled, deleteDaysAfterCreation}}) => ({
    next: withMember(project, 'messages', {
      ...project.messages,
      enabled,
      ...defined({deleteDaysAfterCreation}),
    }),
  }),
})

/** The deprecated switch, which keeps the retention (decision 36). Source: API › Project. */
export const changeMessagesEnabled = projectAction({
  name: 'changeMessagesEnabled',
  summary: 'switch messages on or off',
  fields: ['messages'],
  deprecated: {id: 'project-change-messages-enabled', alternative: 'changeMessagesConfiguration', since: '2018-10-08'},
  schema: v.object({messagesEnabled: v.boolean()}),
  messages: [],
  apply: (project, {messagesEnabled}) => ({
    next: withMember(project, 'messages', {...project.messages, enabled: messagesEnabled}),
  }),
})
