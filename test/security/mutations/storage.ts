import {type MutationGroup, of} from './mutation.js'

/** What keeps an acknowledged write. */

const journal = of('src/store/lowdb/folder/journal.ts')
const files = of('src/store/lowdb/file/files.ts')
const checksum = of('src/store/lowdb/file/private.ts')
const lines = of('src/store/lowdb/line/line.ts')
const loading = of('src/store/lowdb/folder/load.ts')
const chain = of('src/store/lowdb/folder/chain.ts')
const projectFile = of('src/store/lowdb/folder/project-file.ts')
const compaction = of('src/store/lowdb/folder/compaction.ts')
const dataFile = of('src/store/lowdb/directory/data-file.ts')
const collections = of('src/store/lowdb/directory/collection.ts')
const lock = of('src/store/lowdb/folder/lock.ts')
const protocol = of('src/files/lock-protocol.ts')
const state = of('src/store/lowdb/directory/state.ts')
const identity = of('src/files/process-identity.ts')
const repairs = of('src/store/lowdb/care/doctor.ts')
const projects = of('src/store/lowdb/folder/state-folder.ts')
const opening = of('src/store/open.ts')
const copying = of('src/store/copy-state.ts')
const reservations = of('src/store/adapter/reservations.ts')

export const storage: MutationGroup = {
  folders: ['test/crash'],
  tests: [
    'store/lowdb/write-errors',
    'store/lowdb/lock',
    'store/lowdb/lock-order',
    'store/adapters',
    'store/lowdb/maintenance',
    'store/lowdb/privacy',
    'crash/power-cut',
    'store/lowdb/stalled-holder',
    'store/lowdb/second-fault',
    'store/lowdb/full-disk',
    'store/lowdb/guards',
    'store/lowdb/beside',
    'store/lowdb/folder/hints',
    'crash/damage',
  ],
  mutations: [
    journal(
      'commits are acknowledged before they are on the disk',
      '      await files.sync(this.file.fd)\n    } catch (error) {',
      '    } catch (error) {',
    ),
    journal(
      'a failed fsync is ignored',
      '      await files.sync(this.file.fd)\n    } catch (error) {\n      this.stop(error as Error)\n      throw unwritable(error as Error)\n',
      '      await files.sync(this.file.fd)\n    } catch (error) {\n      void error\n',
    ),
    journal('what a failed write left stays', '      await files.truncate(this.file.fd, this.reach.end)\n'),
    journal(
      'a cut that failed is ignored',
      '    } catch {\n      this.stop(cause)\n',
      '    } catch {\n      void cause\n',
    ),
    journal('a lost lock is not noticed', '      fence()\n      // A successor', '      // A successor'),
    journal(
      'a lock lost while writing is not noticed',
      '    this.#fence()\n    this.reach = reach\n',
      '    this.reach = reach\n',
    ),
    journal('a file is written to that another holder has ended', '      if (isSucceeded) throw lockLost(path)\n'),
    files(
      'a short write counts as whole',
      '    done += written\n    if (done === bytes.length) return\n',
      '    return\n',
    ),
    files(
      'new files are not synced',
      'Buffer.from(content) : content, 0)\n    if (isSynced) await files.sync(fd)\n',
      'Buffer.from(content) : content, 0)\n',
    ),
    files(
      'state can be read by others',
      "if (mode === 'create') fs.fchmodSync(fd, 0o600)\n    return fd",
      "if (mode === 'create') fs.fchmodSync(fd, 0o644)\n    return fd",
    ),
    checksum('checksums are not verified', "rest[0] === '' && hasValidChecksum(line)", "rest[0] === ''"),
    lines(
      'damage to acknowledged commits is cut off',
      'if (provesEarlier) damaged.push(...broken.splice(0))',
      'if (provesEarlier && at < 0) damaged.push(...broken.splice(0))',
    ),
    lines('a commit that was left out is not missed', 'crc32(lines, one) ===', 'crc32(lines, one * 0) ==='),
    loading(
      'a file that was cut after it was closed counts',
      '? await isAsClosed(opening.files, file, end, found)',
      '? found.end >= 0',
    ),
    loading('a hint counts that knows more than the file has', '(parts[first]?.end ?? 0) < hint.written ||\n'),
    loading('a hint of another file is believed', 'return checksumIn(', 'return end > 0 || checksumIn('),
    dataFile(
      'the checksum of a line is not compared',
      'line.length < size || crc32(line) !== crc',
      'line.length < size',
    ),
    chain(
      'a file that is missing brings back the state before it',
      '[...new Set([beside, ...names.map(numberOf)])]',
      'names.map(numberOf)',
    ),
    projectFile(
      'missing files start an empty state',
      'if (!state && isExpected) throw corrupt',
      'if (directory === null) throw corrupt',
    ),
    projectFile(
      'the folder of a new project may be forgotten',
      '    if (!this.#loaded) await files.syncDirectory(dirname(directory))\n',
    ),
    loading(
      'what a former holder writes late becomes part of the state',
      'counted.push([number, found.end, found.checksum])',
      'counted.push([number, end, found.checksum])',
    ),
    compaction('copied lines are not synced', '    await this.#files.sync(this.#fd)\n'),
    compaction(
      'what came while lines were copied is left behind',
      '(collection) => collection.since(journal.file.number, begun)',
      '() => []',
    ),
    compaction(
      'what came in the meantime of that is left behind',
      '(collection) => collection.since(journal.file.number, meanwhile)',
      '() => []',
    ),
    compaction(
      'a copy may be forgotten',
      '    await files.syncDirectory(directory)\n  } catch (error) {',
      '  } catch (error) {',
    ),
    compaction(
      'files that were joined stay',
      '    await removeRemains(files, directory, [number], (path) => files.unlink(path))\n',
    ),
    collections(
      'a document that was removed comes back',
      'record !== undefined && this.#records.version(record) > 0 ?',
      'record !== undefined ?',
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
    copying('a damaged state is copied as if it were whole', "    if ('dir' in from) await assertVerified(from.dir)\n"),
    repairs(
      'a repair forgets what it left out',
      'const without = [...chain.without, ...damaged',
      'const without = [...damaged.slice(0, 0), ...damaged',
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
    state(
      'an old version overwrites a new one',
      'if (expected !== undefined && current !== expected) throw',
      'if (current === -1) throw',
    ),
    state(
      'what is being removed is referred to',
      "    if (isTaken) throw new UniqueConflict(presenceOf(kind, id), 'pending')\n",
    ),
    state(
      'what refers to nothing is stored',
      '      if (expected === undefined && current === 0) throw new Missing(kind, id)\n',
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
