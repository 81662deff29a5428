import { SetupError, StorageError } from '../../errors.ts'
import type { OpenStore } from '../sqlite-log.ts'
import { SqliteStore } from '../sqlite-store.ts'
import type { StoreAccess } from '../store-thread.ts'

/** Opens a store in the thread that calls, so that a test sees everything that it does. */
export const openLocally: OpenStore = async (file, readOnly) => {
  const store = opened(file, readOnly)
  const call: StoreAccess['call'] = async (method, ...args) => {
    try {
      return structuredClone((store[method] as (...args: unknown[]) => never).apply(store, structuredClone(args)))
    } catch (error) {
      throw new StorageError((error as Error).message)
    }
  }
  return { call, close: async () => store.close() }
}

function opened(file: string, readOnly: boolean): SqliteStore {
  try {
    return new SqliteStore(file, { readOnly })
  } catch (error) {
    throw new SetupError((error as Error).message)
  }
}
