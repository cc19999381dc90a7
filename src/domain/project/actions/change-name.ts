import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {rule, Text} from '../../rules.js'
import {projectAction} from '../project-action.js'

const Name = v.pipe(
  Text,
  rule((name: string) => name !== '', 'A project has a name.'),
)

export const changeName = projectAction({
  name: 'changeName',
  summary: 'rename the project; its key stays',
  fields: ['name'],
  schema: v.object({name: Name}),
  messages: [],
  apply: (project, {name}) => ({next: withMember(project, 'name', name)}),
})
