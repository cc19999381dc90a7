import {type MutationGroup, of} from './mutation.js'

/** What keeps an acknowledged write. */

const journal = of('src/store/lowdb/folder/journal.ts')
const files = of('src/store/lowdb/file/files.ts')
const checksum = of('src/store/lowdb/file/checksum.ts')
const replay = of('src/store/lowdb/line/replay.ts')
const manifest = of('src/store/lowdb/file/manifest.ts')
const manifests = of('src/store/lowdb/folder/manifest-writer.ts')
const segments = of('src/store/lowdb/table/segment-writer.ts')
const sources = of('src/store/lowdb/merge/segment-source.ts')
const merging = of('src/store/lowdb/tree/merge.ts')
const segmentIndexKeys = of('src/store/lowdb/table/index-keys.ts')
const pages = of('src/store/lowdb/table/pages.ts')
const projectWriter = of('src/store/lowdb/folder/project-writer.ts')
const lock = of('src/store/lowdb/folder/lock.ts')
const protocol = of('src/files/lock-protocol.ts')
const state = of('src/store/lowdb/tree/state.ts')
const identity = of('src/files/process-identity.ts')
const salvage = of('src/store/lowdb/care/salvage.ts')
const projects = of('src/store/lowdb/folder/catalogue.ts')
const opening = of('src/store/open.ts')
const copying = of('src/store/copy-state.ts')
const reservations = of('src/store/adapter/reservations.ts')

const broken = '      this.stop(error as Error)\n      throw unwritable(error as Error)\n    }\n'

export const storage: MutationGroup = {
  folders: ['test/crash'],
  tests: [
    'store/lowdb/write-errors',
    'store/lowdb/lock',
    'store/lowdb/lock-order',
    'store/lowdb/back-pressure',
    'store/adapters',
    'store/lowdb/maintenance',
    'store/lowdb/privacy',
    'crash/power-cut',
    'store/lowdb/stalled-holder',
    'store/lowdb/second-fault',
    'store/lowdb/full-disk',
    'store/lowdb/upgrade',
    'crash/damage',
    'store/lowdb/merge/merge',
    'store/lowdb/page-budget',
  ],
  mutations: [
    projectWriter(
      'writers outrun the compaction until the memory is full',
      'this.#compactsBehind && this.#isAhead && this.#journal.length >',
      'false && this.#journal.length >',
    ),
    journal(
      'commits are acknowledged before they are on the disk',
      '      await files.sync(fd)\n      fence()\n',
      '      fence()\n',
    ),
    journal(
      'a failed fsync is ignored',
      '      await files.sync(fd)\n      fence()\n',
      '      await (async () => files.sync(fd))().catch(() => {})\n      fence()\n',
    ),
    journal(
      'what a failed write left stays',
      '      await this.#truncate()\n      await this.#options.files.sync(this.#fd)\n',
    ),
    journal(
      'a cut that failed is ignored',
      '    } catch {\n      this.stop(cause)\n',
      '    } catch {\n      void cause\n',
    ),
    journal('a lost lock is not noticed', `    try {\n      fence()\n    } catch (error) {\n${broken}`),
    journal(
      'a lock lost while writing is not noticed',
      '      await files.sync(fd)\n      fence()\n',
      '      await files.sync(fd)\n',
    ),
    files(
      'a short write counts as whole',
      '    done += written\n    if (done === bytes.length) return\n',
      '    return\n',
    ),
    files(
      'new files are not synced',
      'Buffer.from(content) : content, 0)\n    await files.sync(fd)\n',
      'Buffer.from(content) : content, 0)\n',
    ),
    files(
      'state can be read by others',
      "if (mode === 'create') fs.fchmodSync(fd, 0o600)\n    return fd",
      "if (mode === 'create') fs.fchmodSync(fd, 0o644)\n    return fd",
    ),
    checksum('checksums are not verified', 'if (suffix <= start) return false', 'if (suffix > start) return true'),
    replay(
      'damage to acknowledged commits is cut off',
      'if (isBroken && line && line.durable > last) {',
      'if (isBroken && line && line.durable < 0) {',
    ),
    manifest(
      'a new manifest may come before the files that it names',
      '    if (durable.files) await files.syncDirectory(directory)\n',
    ),
    manifest('a new manifest may be forgotten', '    if (durable.own) await files.syncDirectory(directory)\n'),
    manifest(
      'a manifest is believed whose journal a power cut took',
      'if (generation === generations.at(-1) || (await hasJournal(files, directory, manifest))) return manifest',
      'return manifest',
    ),
    manifests(
      'a lost journal brings back the state before it',
      '    if (before) await unlinkQuietly(this.#files, manifestPath(this.#directory, before.generation))\n',
    ),
    manifest('a missing manifest starts an empty state', 'if (stat?.size) throw', 'if (stat === null) throw'),
    manifests('the folder of a new project may be forgotten', '      await files.syncDirectory(dirname(directory))\n'),
    segments('merged files are not synced', '    for (const fd of this.#fds) this.#files.sync(fd)\n'),
    sources(
      'the checksum of a source is not compared',
      'if (reader.crc32 !== this.file.crc32) throw',
      'if (false) throw',
    ),
    pages('a page of an index is believed', 'if (checksumOf(page) !== this', 'if (checksumOf(page) < 0 && 0 === this'),
    pages('pages of indexes fill the memory', 'this.#taken === this.#mostPages', 'false'),
    segmentIndexKeys(
      'the keys of dropped lines stay',
      'const slot = slots[pairs[at] as number] ?? noSlot',
      'const slot = Math.max(0, slots[pairs[at] as number] ?? noSlot)',
    ),
    merging('a line that was replaced comes back', 'if (heads[at]?.id === id)', 'if (heads[at] === least)'),
    manifests(
      'what a former holder writes late becomes part of the state',
      'at === journals.length - 1 ? {...journal, bytes} : journal',
      'at === -1 ? {...journal, bytes} : journal',
    ),
    manifests(
      'a journal is written to that another holder has ended',
      '    if (this.#files.identity(manifestPath(this.#directory, generation)) === undefined) throw lockLost(this.#directory)\n',
    ),
    identity(
      'a process of another container counts as dead',
      "identity.host === here.host)) return 'unknown'",
      "identity.host === here.host)) return 'dead'",
    ),
    lock(
      'the lock of a living process is taken over by force',
      "force === true && state === 'unknown'",
      'force === true',
    ),
    copying('a damaged state is copied as if it were whole', "    if ('dir' in from) await assertWhole(from.dir)\n"),
    salvage('a repair needs room for what is sound', 'if (lines === 0 ||', 'if (lines >= 0 ||'),
    salvage(
      'a repair counts documents wrongly',
      'of.countDelta += present.set(entry)',
      'of.countDelta += present.set(entry) && 1',
    ),
    salvage(
      'a repair takes a torn tail for documents',
      'if (isSealed || (line && !(line instanceof Entry)))',
      'if (isSealed || line)',
    ),
    projects(
      'a project that is gone counts as empty',
      'found = new Set(listed ?? (await listedProjects(files, directory)))',
      'found = new Set(listed)',
    ),
    opening('a state that is half migrated is used as if whole', '    await refuseUnfinishedMigration(store, label)\n'),
    protocol(
      'two take over from one that died',
      '    if (now?.nonce === nonce) continue\n',
      '    if (now !== null) continue\n',
    ),
    lock('the lock of another is removed', '    if (this.#isOurs) await', '    await'),
    state('an old version overwrites a new one', 'if (current !== change.expect) throw', 'if (current === -1) throw'),
    state(
      'what is being removed is referred to',
      "    if (isTaken) throw new UniqueConflict(presenceOf(kind, id), 'pending')\n",
    ),
    state(
      'what refers to nothing is stored',
      '      if (version === undefined && current === 0) throw new Missing(kind, id)\n',
    ),
    state('two documents of one commit want one unique key', '    if (keyed.length > 1) sharedWithin(keyed)\n'),
    state(
      'two documents hold one unique key',
      "          if (!isChanged(changes, kind, holder.id)) throw new UniqueConflict(key, 'held')\n",
    ),
    reservations(
      'two commits on their way take one unique key',
      'return reserved.by.length > (reserved.by.includes(ticket) ? 1 : 0)',
      'return false',
    ),
  ],
}
