/** How an XML file is cut into rows. */
export interface XmlLayout {
  /** The element that is a row. */
  readonly row: string
  /** Elements that go by the value of one of their attributes, such as `custom-attribute` by its `attribute-id`. */
  readonly names?: Readonly<Record<string, string>>
}
