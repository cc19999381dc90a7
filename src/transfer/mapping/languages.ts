/** The languages of which headers, months and countries are known; the first wins where they differ. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl'] as const

/** A name without case, accents, blanks and punctuation. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** What tables call a member in German, French, Spanish, Italian, Dutch and Polish, folded. */
export const headerNames: Readonly<Record<string, string>> = {
  email:
    'epost emailadresse mailadresse adressemail adresseemail courriel correo correoelectronico postaelettronica emailadres adresemail',
  password: 'passwort kennwort motdepasse contrasena wachtwoord haslo',
  customerNumber:
    'kundennummer kundennr numeroclient numclient numerodecliente numerocliente codicecliente klantnummer numerklienta nrklienta',
  firstName: 'vorname prenom nombre nome voornaam imie',
  lastName: 'nachname familienname zuname nom nomdefamille apellido apellidos cognome achternaam nazwisko',
  salutation: 'anrede civilite tratamiento aanhef zwrot',
  title: 'titel titre titulo titolo tytul',
  companyName:
    'firma firmenname unternehmen societe entreprise empresa azienda societa bedrijf bedrijfsnaam nazwafirmy',
  dateOfBirth:
    'geburtsdatum geburtstag datedenaissance naissance fechadenacimiento fechanacimiento datadinascita geboortedatum dataurodzenia',
  vatId: 'ustid ustidnr umsatzsteuerid numerotva tva nif partitaiva btwnummer nip',
  locale: 'sprache langue idioma lingua taal jezyk',
  'customerGroup.key': 'kundengruppe gruppe groupe groupeclient grupo gruppo klantengroep grupa',
  'addresses.0.streetName': 'strasse str adresse rue calle direccion via indirizzo straat adres ulica address1',
  'addresses.0.streetNumber': 'hausnummer hausnr huisnummer numerocivico nrdomu',
  'addresses.0.additionalStreetInfo': 'adresszusatz complementadresse address2',
  'addresses.0.postalCode': 'plz postleitzahl codepostal cp codigopostal cap codicepostale kodpocztowy',
  'addresses.0.city':
    'ort stadt wohnort ville ciudad poblacion localidad citta comune plaats woonplaats stad miasto miejscowosc',
  'addresses.0.state': 'bundesland stateregion provincia provincie wojewodztwo',
  'addresses.0.country': 'land pays pais paese nazione kraj',
  'addresses.0.phone': 'telefon telefonnummer tel rufnummer telefono telefoon telefoonnummer numertelefonu',
  'addresses.0.mobile': 'handy mobil mobiltelefon portable movil cellulare mobiel',
}

let months: ReadonlyMap<string, string> | undefined

/** Names and abbreviations, alone and beside a day: some languages decline them. */
function monthNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const language of languages) {
    for (const form of [{month: 'long'}, {month: 'short'}, {month: 'long', day: 'numeric'}] as const) {
      const format = new Intl.DateTimeFormat(language, {...form, timeZone: 'UTC'})
      for (let month = 0; month < 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2024, month, 1))
        const name = foldedName(parts.find(({type}) => type === 'month')?.value ?? '')
        if (!names.has(name)) names.set(name, `${month + 1}`)
      }
    }
  }
  return names
}

/** The number of a month by its name in one of the languages, or nothing. */
export function monthNamed(name: string): string | undefined {
  if (/^\d/.test(name)) return undefined
  months ??= monthNames()
  return months.get(foldedName(name))
}
