/** The names that `--preset` takes. Apart from the presets, since flags are read at every start. */
export const presetNames = [
  ...(['shopify', 'magento2', 'woocommerce', 'woocommerce-rest', 'shopware6', 'bigcommerce', 'salesforce'] as const),
  ...(['prestashop', 'opencart', 'sylius', 'shopify-bulk', 'medusa', 'saleor', 'bigcommerce-api', 'ecwid'] as const),
  ...(['hubspot', 'auth0', 'keycloak', 'stripe', 'firebase', 'cognito', 'mailchimp', 'wordpress'] as const),
] as const

export type PresetName = (typeof presetNames)[number]
