import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDataSet, localCopy, openStream } from '@pb-oel/lab'
