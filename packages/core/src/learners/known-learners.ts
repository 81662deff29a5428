import { Catalogue } from '../catalogue.ts'
import type { LearnerEntry } from './learner.ts'

/** The learners that options may name: all that are built in, where `methods.ts` is loaded. */
export const KNOWN_LEARNERS: Catalogue<LearnerEntry> = new Catalogue<LearnerEntry>()
