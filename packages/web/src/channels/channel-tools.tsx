import { changeQuery, query } from '../router.ts'
import { text } from '../strings/en.ts'
import { CHANNEL_ORDERS, type ChannelArrangement } from './arrange-channels.ts'

const words = text.channels

/** How the address arranges the channels. */
export function channelArrangement(): Omit<ChannelArrangement, 'rank'> {
  const { find = '', order, grouped } = query.value
  return {
    search: find,
    order: CHANNEL_ORDERS.find((word) => word === order) ?? 'given',
    grouped: grouped === 'yes',
  }
}

/** Search, order and groups of channels. All of it stands in the address. */
export function ChannelTools() {
  const { search, order, grouped } = channelArrangement()
  return (
    <div class="channel-tools">
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={search}
        onInput={(event) => changeQuery({ find: event.currentTarget.value || undefined }, 'replace')}
      />
      <select
        aria-label={words.order}
        value={order}
        onChange={({ currentTarget: { value } }) => changeQuery({ order: value === 'given' ? undefined : value })}
      >
        {CHANNEL_ORDERS.map((word) => (
          <option key={word} value={word}>
            {words.orders[word]}
          </option>
        ))}
      </select>
      <label class="check">
        <input
          type="checkbox"
          checked={grouped}
          onChange={({ currentTarget: { checked } }) => changeQuery({ grouped: checked ? 'yes' : undefined })}
        />
        {words.grouped}
      </label>
    </div>
  )
}
