import {Flags} from '@oclif/core'

export const keyFlags = {
  'api-key-file': Flags.string({
    helpValue: 'FILE',
    summary: 'Read the API key from a file that only you can read (FRONTDESK_CALLBACK_API_KEY).',
  }),
  'api-key-stdin': Flags.boolean({exclusive: ['api-key-file'], summary: 'Read the API key from stdin.'}),
}
