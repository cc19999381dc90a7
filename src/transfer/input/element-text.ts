/** The member that holds the text of an XML element which has attributes as well. */
export const elementText = '#text'
