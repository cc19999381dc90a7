import {type Deprecation, restEntry} from './entry.js'

/** Custom Objects, Host names, Import. */
export const importing: readonly Deprecation[] = [
  restEntry({
    id: 'custom-objects-query-all',
    area: 'Custom Objects',
    item: 'Query CustomObjects (all containers)',
    alternative: 'Query CustomObjects in Container',
    dates: {},
    note: 'The interface does not date it.',
    detect: [{in: 'url', place: 'GET /custom-objects'}],
  }),
  restEntry({
    id: 'custom-objects-by-id',
    area: 'Custom Objects',
    item: 'Get and Delete by ID',
    alternative: 'by container and key',
    dates: {deprecated: '2020-09-16', removed: '2020-09-16'},
    detect: ['GET', 'DELETE'].map((method) => ({in: 'url' as const, place: `${method} /custom-objects/{uuid}`})),
  }),
  restEntry({
    id: 'host-names-aliases',
    area: 'Host names',
    item: 'older API host aliases',
    alternative: 'regional hosts',
    dates: {deprecated: '2020-02-03'},
    detect: [
      {
        in: 'host',
        names: ['sphere.io', 'commercetools.co', 'commercetools.com'].flatMap((domain) => [
          `api.${domain}`,
          `auth.${domain}`,
        ]),
        instead: 'api.{region}.commercetools.com, auth.{region}.commercetools.com',
      },
    ],
  }),
  restEntry({
    id: 'import-publish',
    area: 'Import',
    item: '`publish` in EmbeddedPriceImport and ProductVariantImport',
    alternative: '`staged`',
    dates: {deprecated: '2024-04-24', removed: '2024-08-01'},
    detect: [
      {in: 'body', at: 'resources[].publish', when: {up: 1, member: 'type', is: ['price', 'product-variant']}},
      {
        in: 'body',
        at: 'resources[].publish',
        on: ['POST /prices/import-containers/{}', 'POST /product-variants/import-containers/{}'],
      },
    ],
  }),
  restEntry({
    id: 'import-order-key',
    area: 'Import',
    item: '`key` in OrderImport',
    alternative: '`orderNumber`',
    dates: {deprecated: '2021-04-23', removed: '2021-04-23'},
    detect: [
      {in: 'body', at: 'resources[].key', lacks: ['orderNumber'], when: {up: 1, member: 'type', is: ['order']}},
      {in: 'body', at: 'resources[].key', lacks: ['orderNumber'], on: ['POST /orders/import-containers/{}']},
    ],
  }),
  restEntry({
    id: 'import-sink',
    area: 'Import',
    item: 'Import Sink',
    alternative: 'Import Container',
    dates: {deprecated: '2021-08-30', replaced: '2021-11-30'},
    // frontdesk-ignore-next-line -- the rule itself
    detect: ['import-sinks', 'import-sinks/{}', '{}/importSinkKey={}', '{}/importSinkKey={}/{}'].map((path) => ({
      in: 'url' as const,
      place: `* /${path}`,
    })),
  }),
]
