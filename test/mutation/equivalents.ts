import { type Equivalent, inServer, same } from './equivalent.ts'
import { FOLD_EQUIVALENTS } from './fold-equivalents.ts'

const DRAW = 'a number drawn from 2⁵³ is never the given one'
const BEYOND = 'reading behind the end of an array gives undefined, which adds, counts or compares as nothing'
const IDLE = 'only saves work, memory or draws that nobody uses'
const TIE = 'where both are equal, either gives the same result'

const ZERO = 'the offset is 0'
const IGNORED = 'writing behind the end of a typed array, or into memory that nobody reads, changes nothing'
const UNUSED = 'what is computed beyond is not read'

const FILTER = 'lets more through a filter whose passers are looked at exactly'
const NOTHING = 'the window is never empty there'

const PLUS = 'pb-oel-plus/pb-oel-plus.ts'
const LOSS_WEIGHTS = 'pb-oel-plus/loss-weights.ts'
const LOSS_ESTIMATOR = 'pb-oel-plus/loss-estimator.ts'
const BOOK = 'experts/round-book.ts'
const COIN = 'const coin = data[row + notes + COIN]'
const PERSISTENCE = 'experts/persistence.ts'

const PADDING = 'what is written behind is padding, or is written over before it is read'
const ARENA = 'rvfl/kernel/arena-kernel.ts'
const LANES = 'rvfl/kernel/lane-kernel.ts'
const TWIN = 'rvfl/kernel/twin.ts'
const BANK = 'rvfl/rvfl-bank.ts'

const MODEL = 'feedback/feedback-model.ts'
const ASKER = 'asking/asker.ts'
const SCORES = 'asking/scores.ts'

const ADWIN = 'drift/adwin.ts'
const GROWN =
  'const length = Math.min(ROWS << this.shift, Math.max(wanted, this.sums.length + (FIRST_ROWS << this.shift)))'
const CUT = 'if (excess * Math.abs(excess) > square * n0 * n1 && n0 >= minSubWindow && n1 >= minSubWindow) {'
const JUDGED =
  'const squared = difference > 0 ? (difference * difference * 2 * prefix * this.n) / (this.n - prefix) : 0'

/** Survivors that stay, each with its reason. `npm run mutate` names entries that match no survivor any more. */
export const EQUIVALENTS: readonly Equivalent[] = [
  ...FOLD_EQUIVALENTS,
  ...same('metrics/confusion.ts', 'the row and the column behind the last are empty, and empty ones do not count', [
    [
      'for (let k = 0; k < this.levels; k++) chance += share(this.row(k), total) * share(this.column(k), total)',
      'k <= this.levels',
    ],
    [
      'for (let k = 0; k < this.levels; k++) sum += share(2 * this.hits(k), this.row(k) + this.column(k))',
      'k <= this.levels',
    ],
    ['for (let k = 0; k < this.levels; k++) {', 'k <= this.levels'],
  ]),
  ...same('metrics/prequential.ts', BEYOND, [
    [
      'for (let k = 1; k < this.seen.length; k++) if (this.seen[k] > this.seen[majority]) majority = k',
      'k <= this.seen.length',
    ],
  ]),
  ...same('metrics/weighted-outcomes.ts', 'equal levels have returned before', [
    ["return assessed < truth ? 'miss' : 'false alarm'", 'assessed <= truth'],
  ]),
  ...same(MODEL, DRAW, [
    ["return this.modes.uniform() < this.rho ? 'full' : 'partial'", 'this.modes.uniform() <= this.rho'],
    [
      'if (!right && this.skipWhenWrong > 0 && this.whims.uniform() < this.skipWhenWrong) return',
      'this.whims.uniform() <= this.skipWhenWrong',
    ],
    [
      'const named = !right && this.volunteer > 0 && this.whims.uniform() < this.volunteer',
      'this.whims.uniform() <= this.volunteer',
    ],
    [
      'return this.absences.uniform() >= (1 - missing) * power(2, -this.time / halfLife)',
      'this.absences.uniform() > (1 - missing) * power(2, -this.time / halfLife)',
    ],
    ['const wrong = this.wrong > 0 && this.errors.uniform() < this.wrong', 'this.errors.uniform() <= this.wrong'],
  ]),
  ...same(MODEL, IDLE, [
    ['private shown = false', 'true'],
    ['if (wait === 0) this.deliver(id, feedback)', 'false'],
    ['if (underway.size > 0) {', 'true'],
    ['if (underway.size > 0) {', 'underway.size >= 0'],
    ['underway.delete(this.time)', ';'],
    ['if (missing === 0 && halfLife === Infinity) return false', 'false'],
    ['if (spare.length === now.length) spare.push({ id, feedback })', 'true'],
    ['if (spare.length === now.length) spare.push({ id, feedback })', '{}'],
    ['const wrong = this.wrong > 0 && this.errors.uniform() < this.wrong', 'true'],
    ['const wrong = this.wrong > 0 && this.errors.uniform() < this.wrong', 'this.wrong >= 0'],
  ]),
  ...same(MODEL, 'null counts as not given, and is not looked at', [
    ["return typeof value === 'number' || (typeof value === 'object' && value !== null)", 'true'],
  ]),
  ...same(ASKER, DRAW, [
    ['if (this.random.uniform() >= this.latest) return undefined', 'this.random.uniform() > this.latest'],
    ['const chosen = this.random.uniform() < probability', 'this.random.uniform() <= probability'],
  ]),
  ...same(ASKER, BEYOND, [
    ['for (let k = 0; k < probabilities.length; k++) label += surprise(probabilities[k])', 'k <= probabilities.length'],
  ]),
  ...same(SCORES, BEYOND, [
    ['for (let k = 0; k < p.length; k++) {', 'k <= p.length'],
    ['for (let k = 0; k < probabilities.length; k++) {', 'k <= probabilities.length'],
    ['for (let n = 0; n < experts.length; n++) if (experts[n] === k) votes++', 'n <= experts.length'],
    ['for (let n = 0; n < drifts.length; n++) if (drifts[n] === 1) this.suspicion = 1', 'n <= drifts.length'],
  ]),
  ...same(SCORES, TIE, [
    ['if (p[k] > first) {', 'p[k] >= first'],
    ['} else if (p[k] > second) second = p[k]', 'p[k] >= second'],
  ]),
  ...same('experts/blend.ts', BEYOND, [
    ['for (let k = 1; k < levels; k++) if (out[k] > highest) highest = out[k]', 'k <= levels'],
    ['for (let k = 0; k < levels; k++) out[k] /= sum', 'k <= levels'],
    ['for (let n = 0, at = 0; n < experts; n++, at += levels) {', 'n <= experts'],
  ]),
  ...same('experts/blend.ts', TIE, [
    ['logs[at] = quickLog(confidences[at] > FLOOR ? confidences[at] : FLOOR)', 'confidences[at] >= FLOOR'],
    ['for (let k = 1; k < levels; k++) if (out[k] > highest) highest = out[k]', 'out[k] >= highest'],
  ]),
  ...same('experts/committee.ts', BEYOND, [
    ['for (let n = 0; n < bank.drifts.length; n++) drifts[n] |= bank.drifts[n]', 'n <= bank.drifts.length'],
    [
      'for (let n = 0; n < this.size; n++) this.votes[n] = cheapestLevel(costs, levels, this.confidences, n * levels)',
      'n <= this.size',
    ],
  ]),
  ...same('experts/expert-ensemble.ts', BEYOND, [
    ['for (let n = 0; n < committee.size; n++) advice[n * levels + committee.votes[n]] = 1', 'n <= committee.size'],
    ['for (let i = 0; i < channels; i++) sample[i] = data[row + i]', 'i <= channels'],
  ]),
  ...same('experts/expert-ensemble.ts', 'every field is set before it is read', [
    ['this.answer = {', '{}'],
    ['known: -1,', '+1'],
    ['full: false,', 'true'],
    ['promised: true,', 'false'],
    ['id: -1,', '+1'],
  ]),
  ...same('experts/expert-ensemble.ts', 'undefined counts as false', [
    ['protected get rejectionReveals(): boolean {', '{}'],
  ]),
  ...same('experts/mixture.ts', BEYOND, [['for (let k = 0; k < p.length; k++) {', 'k <= p.length']]),
  ...same(PERSISTENCE, 'a search sets it before it is read', [['private spoken = -1', '+1']]),
  ...same(PERSISTENCE, 'the level itself is the one rejected longest ago then', [
    ['for (let step = 1; step <= rejectedAt.length; step++) {', 'step < rejectedAt.length'],
  ]),
  ...same(PERSISTENCE, BEYOND, [
    [
      'for (let k = 1; k < this.rejectedAt.length; k++) if (this.rejectedAt[k] < this.rejectedAt[oldest]) oldest = k',
      'k <= this.rejectedAt.length',
    ],
  ]),
  ...same('experts/reward-ledger.ts', BEYOND, [
    [
      'for (let n = 0; n < total.length; n++) total[n] += weight * advice[offset + n * levels + level]',
      'n <= total.length',
    ],
    ['for (let i = 1; i < values.length; i++) if (values[i] > found) found = values[i]', 'i <= values.length'],
  ]),
  ...same('experts/reward-ledger.ts', TIE, [
    ['for (let i = 1; i < values.length; i++) if (values[i] > found) found = values[i]', 'values[i] >= found'],
  ]),
  ...same(BOOK, ZERO, [
    ['data[row + notes + COIN] = 1', 'row + notes - COIN'],
    ['if (!pending.isOpen(id) || data[row + notes + COIN] !== 1) {', 'row + notes - COIN'],
    ['data[row + notes + COIN] = asked ? probability : -probability', 'row + notes - COIN'],
    [COIN, 'row + notes - COIN'],
  ]),
  ...same(BOOK, 'a coin of probability 0 is not entered', [['if (coin > 0) {', 'coin >= 0']]),
  ...same(LOSS_ESTIMATOR, 'without noise the sums are multiplied by 0', [
    ['if (noise > 0) for (let i = 0; i < costs.length; i++) columns[i % levels] += costs[i]', 'true'],
    ['if (noise > 0) for (let i = 0; i < costs.length; i++) columns[i % levels] += costs[i]', 'noise >= 0'],
  ]),
  ...same(LOSS_ESTIMATOR, BEYOND, [
    ['for (let k = 0; k < levels; k++) losses[k] = confirmed * costs[assessed * levels + k]', 'k <= levels'],
    [
      'for (let k = 0; k < levels; k++) losses[k] = scale * (costs[known * levels + k] - other * columns[k])',
      'k <= levels',
    ],
  ]),
  ...same(LOSS_WEIGHTS, BEYOND, [
    ['for (let n = 0; n < shares.length; n++) {', 'n <= shares.length'],
    ['for (let i = 1; i < values.length; i++) if (values[i] < found) found = values[i]', 'i <= values.length'],
  ]),
  ...same(LOSS_WEIGHTS, TIE, [
    [
      'if (rate < this.rate) this.learning += -smallest(this.logShares) * (1 / rate - 1 / this.rate)',
      'rate <= this.rate',
    ],
    ['if (logShares[n] > highest) highest = logShares[n]', 'logShares[n] >= highest'],
    ['for (let i = 1; i < values.length; i++) if (values[i] < found) found = values[i]', 'values[i] <= found'],
  ]),
  ...same(PLUS, BEYOND, [
    ['for (let k = 0; k < s.length; k++) drawn[k] = explore * s[k]', 'k <= s.length'],
    ['for (let n = 0, at = answer.advice; n < losses.length; n++) {', 'n <= losses.length'],
  ]),
  ...same(PLUS, ZERO, [
    ['data[notes + LAMBDA] = lambda', 'notes - LAMBDA'],
    ['estimator.estimate(answer, data[answer.notes + LAMBDA], data[answer.notes + NOISE])', 'answer.notes - LAMBDA'],
    [
      'return rejections + (data[notes + LAMBDA] * (1 - probability) * implicit) / (probability * (probability + implicit))',
      'notes - LAMBDA',
    ],
  ]),
  ...same(PLUS, 'a getter without a body gives undefined', [['get restarts(): undefined {', '{}']]),
  ...same(PLUS, 'nothing is counted for level −1', [
    ['if (known >= 0 && !correction) this.balanced?.told(known)', 'true'],
  ]),
  ...same('pb-oel/expert-weights.ts', BEYOND, [
    ['for (let n = 0; n < logWeights.length; n++) {', 'n <= logWeights.length'],
    ['for (let n = 0; n < logWeights.length; n++) logWeights[n] -= largest', 'n <= logWeights.length'],
    ['for (let n = 0; n < shares.length; n++) shares[n] /= sum', 'n <= shares.length'],
  ]),
  ...same('pb-oel/expert-weights.ts', 'the shares follow from the weights, so that computing them again is idle', [
    ['if (io.reading) this.share()', 'true'],
  ]),
  ...same('pb-oel/expert-weights.ts', TIE, [
    ['if (logWeights[n] > largest) largest = logWeights[n]', 'logWeights[n] >= largest'],
  ]),
  ...same('pb-oel/guarantee.ts', BEYOND, [
    [
      'for (let n = 0; n < this.batch.length; n++) this.batch[n] += weight * advice[offset + n * this.levels + level]',
      'n <= this.batch.length',
    ],
  ]),
  ...same('pb-oel/pb-oel.ts', BEYOND, [
    ['for (let k = 0; k < levels; k++) p[k] = (1 - gamma) * p[k] + gamma / levels', 'k <= levels'],
  ]),
  ...same('pb-oel/pb-oel.ts', ZERO, [
    ['this.pending.data[notes + GAMMA] = gamma', 'notes - GAMMA'],
    ['monitor.countExplored(known === assessed, full, data[notes + GAMMA])', 'notes - GAMMA'],
  ]),
  ...same(ADWIN, IDLE, [
    ['private spent = false', 'true'],
    ['this.heads.fill(0)', ';'],
    ['if (wanted <= this.sums.length) return', 'false'],
    ['if (wanted <= this.sums.length) return', 'wanted < this.sums.length'],
    [GROWN, 'Math.max(ROWS << this.shift, Math.max(wanted, this.sums.length + (FIRST_ROWS << this.shift)))'],
    [GROWN, 'this.sums.length - (FIRST_ROWS << this.shift)'],
  ]),
  ...same(ADWIN, 'rows behind the last are empty', [
    ['for (let row = this.rows - 1; row >= 0; row--) {', 'this.rows + 1'],
  ]),
  ...same(ADWIN, NOTHING, [
    ["if (this.increase && !(this.mean > (size === 0 ? 0 : sum / size))) return 'none'", 'false'],
    ['if (--this.counts[row] === 0) while (this.rows > 1 && this.counts[this.rows - 1] === 0) this.rows--', 'true'],
    [
      'if (--this.counts[row] === 0) while (this.rows > 1 && this.counts[this.rows - 1] === 0) this.rows--',
      'this.rows >= 1',
    ],
  ]),
  ...same(ADWIN, FILTER, [
    ['const spare = size - 2 * minSubWindow + 2', 'size - 2 * minSubWindow - 2'],
    ['const linear = (2 / 3) * delta * spare', '2 / 3 * delta / spare'],
    ['const square = 2 * variance * delta * spare', '2 * variance * delta / spare'],
    ['const excess = Math.abs(f) - linear', 'Math.abs(f) + linear'],
    [CUT, 'true'],
    [CUT, 'excess * Math.abs(excess) >= square * n0 * n1'],
    [CUT, 'square * n0 / n1'],
    [CUT, 'square / n0'],
  ]),
  ...same(ADWIN, 'only the size of f counts', [
    ['f += sums[base + ((head + k) & mask)] * size - step', 'f -= sums[base + (head + k & mask)] * size - step'],
  ]),
  ...same('drift/eddm.ts', 'a distance is at least 1, and so is the level', [
    ['private highest = -1', '+1'],
    ['this.highest = -1', '+1'],
  ]),
  ...same(ADWIN, 'the exact test asks for at least W²/(W−2L+2), which is not less', [
    ['const spare = size - 2 * minSubWindow + 2', '2 / minSubWindow'],
  ]),
  ...same(ADWIN, 'the bound has a logarithm in it: no values meet it exactly', [
    ['if (Math.abs(f) / (n0 * n1) > bound) return true', 'Math.abs(f) / (n0 * n1) >= bound'],
  ]),
  ...same('drift/ddm.ts', TIE, [
    ['if (level <= this.bestRate + this.bestDeviation) {', 'level < this.bestRate + this.bestDeviation'],
  ]),
  ...same('drift/eddm.ts', 'two errors have at least the level of the first one, which replaces it', [
    ['const deviation = this.errors > 1 ? Math.sqrt(this.squares / (this.errors - 1)) : 0', 'true'],
    ['const deviation = this.errors > 1 ? Math.sqrt(this.squares / (this.errors - 1)) : 0', 'this.errors >= 1'],
  ]),
  ...same('drift/hddm-a.ts', 'the mean is never below the lowest one, unless it is it', [
    [JUDGED, 'true'],
    [JUDGED, 'difference >= 0'],
  ]),
  ...same('drift/kswin.ts', DRAW, [
    [
      'if (missing === left || random.uniform() * left < missing) chosen[taken++] = values[i]',
      'random.uniform() * left <= missing',
    ],
  ]),
  ...same('drift/page-hinkley.ts', TIE, [
    ['if (this.rise < this.lowest) this.lowest = this.rise', 'this.rise <= this.lowest'],
    ['if (this.fall > this.highest) this.highest = this.fall', 'this.fall >= this.highest'],
  ]),
  ...same('rvfl/confidence.ts', TIE, [
    [
      'for (let k = 1; k < count; k++) if (raw[from + k] > largest) largest = raw[from + k]',
      'raw[from + k] >= largest',
    ],
    ["out[k] = rule === 'clip' ? (raw[k] > FLOOR ? raw[k] : FLOOR) : exp(raw[k] - largest)", 'raw[k] >= FLOOR'],
  ]),
  ...same('rvfl/features.ts', IGNORED, [
    ['for (let i = 0; i < rows; i++) matrix[i * width + j] -= projection * matrix[i * width + earlier]', 'i <= rows'],
    ['for (let i = 0; i < rows; i++) matrix[i * width + j] /= norm', 'i <= rows'],
  ]),
  ...same('rvfl/targets.ts', IGNORED, [
    ['for (let i = 0; i < out.length; i++) out[i] = i % levels === level ? 1 : 0', 'i <= out.length'],
    [
      'for (let i = 0; i < out.length; i++) out[i] = i % levels === rejected ? penalty : confidences[i]',
      'i <= out.length',
    ],
  ]),
  ...same(ARENA, IGNORED, [
    ['for (let expert = 0; expert < shape.experts; expert++) this.reset(expert)', 'expert <= shape.experts'],
    ['for (let i = 0; i < size; i++) {', 'i <= size'],
  ]),
  ...same(ARENA, 'the next row writes over it', [
    ['for (let k = 0; k < levels; k++) w[i * levels + k] = this.arena[at + k * width + i]', 'k <= levels'],
  ]),
  ...same(ARENA, 'the output behind has been taken before', [
    [
      'for (let i = first * levels; i < last * levels; i++) this.outputs[i] = this.arena[this.layout.outputs + i]',
      'i <= last * levels',
    ],
  ]),
  ...same(ARENA, IDLE, [["if (this.precision === 'double') return", 'false']]),
  ...same(ARENA, ZERO, [['const at = this.start(expert) + inputWeights', 'this.start(expert) - inputWeights']]),
  ...same(ARENA, TIE, [
    ['this.arena[sample + i] = value > LIMIT ? LIMIT : value < -LIMIT ? -LIMIT : value', 'value >= LIMIT'],
    ['this.arena[sample + i] = value > LIMIT ? LIMIT : value < -LIMIT ? -LIMIT : value', 'value <= -LIMIT'],
  ]),
  ...same(LANES, ZERO, [
    ['const weights = this.start(expert) + layout.inputWeights', 'this.start(expert) - layout.inputWeights'],
  ]),
  ...same(LANES, UNUSED, [
    ['for (let c = 0; c < 4; c++) this.f[c] = this.product(panel, c, start + layout.features, row)', 'c <= 4'],
    ['for (let lane = 0; lane < lanes; lane++) {', 'lane <= lanes'],
    ['for (let c = 0; c < 4; c++) g[c] = round(arena[d + c] * f[c])', 'c <= 4'],
    ['for (let c = 0; c < 4; c++) alpha[c + 1] = alpha[c] + squares[c]', 'c <= 4'],
    [
      'for (let c = 0; c < 4; c++) alpha[c + 1] = round(alpha[0] + (c < 2 ? pairs[c] : round(pairs[c] + pairs[c - 2])))',
      'c <= 4',
    ],
  ]),
  ...same(LANES, PADDING, [
    ['for (let c = 0; c < channels; c++) arena[h + c] = arena[layout.sample + c]', 'c <= channels'],
  ]),
  ...same(LANES, 'the lower left quarter of the block is zero', [
    ['if (lanes === 2 && c >= 2) sum = madd(arena[at(row + 2) + lane], arena[h + row + 2 + lane], sum)', 'true'],
  ]),
  ...same(LANES, TIE, [['arena[d + c] = diagonalLimit < value ? diagonalLimit : value', 'diagonalLimit <= value']]),
  ...same(TWIN, PADDING, [
    ['for (let c = 0; c < channels; c++) arena[h + c] = arena[layout.sample + c]', 'c <= channels'],
    ['for (let i = layout.size; i < layout.width; i++) arena[h + i] = 0', 'i <= layout.width'],
    ['for (let panel = 0; panel < layout.nodePanels; panel++) {', 'panel <= layout.nodePanels'],
  ]),
  ...same(TWIN, ZERO, [
    ['let at = this.start(expert) + layout.inputWeights', 'this.start(expert) - layout.inputWeights'],
  ]),
  ...same(TWIN, 'the entry is below the diagonal and zero', [
    ['odd2 += arena[block + 13] * y', 'odd2 -= arena[block + 13] * y'],
  ]),
  ...same(TWIN, TIE, [
    ['arena[j] = diagonalLimit < value ? diagonalLimit : value', 'diagonalLimit <= value'],
    ['const x = a > 700 ? -700 : a < -700 ? 700 : -a', 'a >= 700'],
    ['const x = a > 700 ? -700 : a < -700 ? 700 : -a', 'a <= -700'],
  ]),
  ...same('rvfl/kernel/turns.ts', 'one look more or less', [
    ['for (let looks = 0; looks < LOOKS; looks++) if (Atomics.load(turns, word) !== value) return', 'looks <= LOOKS'],
  ]),
  ...same('rvfl/kernel/wasm.ts', 'without an engine there is no module', [
    ['if (engine === undefined || module === undefined) {', 'false'],
  ]),
  ...same(BANK, IGNORED, [['for (let n = 0; n < networks; n++) {', 'n <= networks']]),
  ...same(BANK, 'assesses the sample in hand again, with the same result', [
    ['if (this.current !== id) this.predict(x, id)', 'true'],
  ]),
  ...inServer('alarms/flood.ts', 'a sort asks only whether one comes before the other', [
    ...['true', 'false', 'a.system >= b.system', 'a.system <= b.system'].map(
      (replacement) =>
        ['return b.count - a.count || (a.system < b.system ? -1 : a.system > b.system ? 1 : 0)', replacement] as const,
    ),
  ]),
  ...inServer('alarms/journal.ts', 'is set before it is read', [
    ['const made: Pages = { events: [], complete: false, read: Promise.resolve() }', 'true'],
  ]),
  ...inServer('alarms/outbox.ts', IDLE, [
    ['this.unsubscribe()', ';'],
    ['this.stopWatching()', ';'],
  ]),
  ...inServer('auth/guard.ts', 'gives requests their shape in advance; the value is set before it is read', [
    ["app.decorateRequest('principal', null as unknown as Principal)", ';'],
  ]),
  ...inServer('auth/tokens.ts', 'a token has no channels', [
    ["if (record.kind === 'token') this.apply(decodeBody('token', record.body, []).body)", '["Stryker was here"]'],
  ]),
  ...inServer('auth/tokens.ts', 'without a token nothing is the same: nobody knows what NOBODY is the hash of', [
    ['return same && (token?.expires ?? Number.POSITIVE_INFINITY) > now ? token : undefined', 'token.expires'],
  ]),
  ...inServer('log/copy-log.ts', 'a log that begins with its first record may as well be begun', [
    ['if (first > 1) await to.begin(system, first - 1, before)', 'true'],
    ['if (first > 1) await to.begin(system, first - 1, before)', 'first >= 1'],
  ]),
  ...inServer('log/copy-log.ts', 'the copy is there: it was begun, or has records', [
    [
      "if (copy?.hash !== hash) throw new ChainError(system, last, 'does not match its hash; this log was changed')",
      'copy.hash',
    ],
  ]),
  ...inServer('log/sqlite-store.ts', 'a reader, which has no mark, never gets behind its COMMIT', [
    ['this.mark?.write(this.taken)', 'this.mark.write'],
  ]),
  ...inServer('log/sqlite-store.ts', 'numbers of systems begin with 1; −1 stands for none', [
    ['if (head.id < 0) {', 'head.id <= 0'],
  ]),
  ...inServer('log/sqlite-store.ts', 'the tables say the same as what is kept of them', [['if (!head) {', 'true']]),
  ...inServer('log/store-lock.ts', 'a function that ends returns undefined', [['} catch {', '{}']]),
  ...inServer('log/sqlite-worker.ts', 'the entry of a thread of its own, where mutants are not', [
    ['if (parentPort) answerCalls(parentPort, workerData.file, workerData.readOnly)', ';'],
  ]),
  ...inServer('service/claims.ts', IDLE, [
    ['for (const [taken, { end }] of this.claims) if (end <= now) this.claims.delete(taken)', 'false'],
    ['for (const [taken, { end }] of this.claims) if (end <= now) this.claims.delete(taken)', 'end < now'],
    ['for (const [taken, { end }] of this.claims) if (end <= now) this.claims.delete(taken)', ';'],
  ]),
  ...inServer('service/recovery.ts', 'the first one is put where it was', [
    ['if (place > 0) this.waiting.unshift(...this.waiting.splice(place, 1))', 'place >= 0'],
  ]),
  ...inServer('service/recovery.ts', 'every system that is loaded has one', [
    ['this.loads.get(system)?.resolve()', 'this.loads.get(system).resolve'],
  ]),
  ...inServer('service/service.ts', 'no two systems have the same name', [
    ['return all.sort((a, b) => (a.id < b.id ? -1 : 1))', 'a.id <= b.id'],
    ['return [...this.systems.values()].sort((a, b) => (a.id < b.id ? -1 : 1))', 'a.id <= b.id'],
  ]),
  ...inServer('service/service.ts', '1 divided by the golden ratio is 1 more than it, which is the same modulo 1', [
    ['const firstEarlier = (this.adopted++ * GOLDEN_RATIO) % 1', 'this.adopted++ / GOLDEN_RATIO'],
  ]),
  ...inServer('fold/key-queue.ts', IDLE, [
    ['if (this.head * 2 <= this.order.length) return', 'false'],
    ['if (this.head * 2 <= this.order.length) return', 'this.head * 2 < this.order.length'],
  ]),
  ...inServer('fold/second-opinion.ts', DRAW, [
    [
      "return review !== undefined && coin(seed, 'second opinion', assessment) < review.secondOpinion",
      "coin(seed, 'second opinion', assessment) <= review.secondOpinion",
    ],
  ]),
  ...inServer('fold/system-fold.ts', DRAW, [
    [
      "return !review?.trust || coin(seed, 'trust', assessment) < this.reviewers.trustIn(by, levels.length)",
      "coin(seed, 'trust', assessment) <= this.reviewers.trustIn(by, levels.length)",
    ],
  ]),
  ...inServer('fold/tally.ts', 'equal levels have returned before', [
    [
      "if (kind === 'label') return level === assessed ? 'right' : level > assessed ? 'miss' : 'false alarm'",
      'level >= assessed',
    ],
  ]),
]
