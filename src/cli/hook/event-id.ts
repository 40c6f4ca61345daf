/**
 * A UUID by which the daemon knows an event that comes twice. It has to be unlike every other, not secret: the time and
 * 74 random bits do that, and loading crypto would cost a tenth of a hook's whole time. The time stands last: a person
 * types the beginning of a question's id, which must differ between two of the same minute.
 */
export function eventId(): string {
  const time = hex(Date.now(), 12)
  const variant = '89ab'[Math.floor(Math.random() * 4)]
  return `${random(8)}-${random(4)}-4${random(3)}-${variant}${random(3)}-${time}`
}

function random(digits: number): string {
  return hex(Math.floor(Math.random() * 16 ** digits), digits)
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
