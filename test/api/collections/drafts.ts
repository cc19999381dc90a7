import {type Answer, type Body, type Desk, draft} from '../harness.js'

/** The collections that can be written: where they are, and drafts that only their name tells apart. */
export interface Written {
  readonly segment: string
  readonly typeId: string
  readonly label: string
  /** A draft with this key; `members` come on top. */
  readonly draft: (key: string, members?: object) => Record<string, unknown>
  /** What the resource of such a draft has beside what every resource has. */
  readonly made: (key: string) => Record<string, unknown>
  /** An action that gives it this name, and one that changes its key where keys change. */
  readonly change: (name: string) => object
  readonly rekey?: (key: string) => object
}

const name = {en: 'A name', de: 'Ein Name'}

export const written: readonly Written[] = [
  {
    segment: 'customer-groups',
    typeId: 'customer-group',
    label: 'CustomerGroup',
    draft: (key, members) => ({key, groupName: `Group ${key}`, ...members}),
    made: (key) => ({key, name: `Group ${key}`}),
    change: (text) => ({action: 'changeName', name: text}),
    rekey: (key) => ({action: 'setKey', key}),
  },
  {
    segment: 'stores',
    typeId: 'store',
    label: 'Store',
    draft: (key, members) => ({key, name, languages: ['de', 'en'], countries: [{code: 'DE'}], ...members}),
    made: (key) => ({
      key,
      name,
      languages: ['de', 'en'],
      countries: [{code: 'DE'}],
      distributionChannels: [],
      supplyChannels: [],
      productSelections: [],
    }),
    change: (text) => ({action: 'setName', name: {en: text}}),
  },
  {
    segment: 'types',
    typeId: 'type',
    label: 'Type',
    draft: (key, members) => ({key, name, resourceTypeIds: ['customer'], ...members}),
    made: (key) => ({key, name, resourceTypeIds: ['customer'], fieldDefinitions: []}),
    change: (text) => ({action: 'changeName', name: {en: text}}),
    rekey: (key) => ({action: 'changeKey', key}),
  },
]

/** Creates a resource; fails loudly if that does not work. */
export async function created(desk: Desk, segment: string, body: object): Promise<Body> {
  const answer = await desk.ask('POST', `/${segment}`, {body})
  if (answer.status !== 201)
    throw new Error(`POST ${segment} ended with ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Applies actions at the resource's version. */
export const changed = (desk: Desk, segment: string, {id, version}: Body, ...actions: object[]): Promise<Answer> =>
  desk.ask('POST', `/${segment}/${id}`, {body: {version, actions}})

export const removed = (desk: Desk, segment: string, {id, version}: Body): Promise<Answer> =>
  desk.ask('DELETE', `/${segment}/${id}?version=${version}`)

export const signUp = (desk: Desk, members: object): Promise<Answer> =>
  desk.ask('POST', '/customers', {body: draft(members)})
