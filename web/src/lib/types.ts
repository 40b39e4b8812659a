/** What the server sends (docs/server.md). The client draws it and knows no rules. */

export type Language = 'en' | 'it'
export type Seat = string
export type HexId = string
export type UnitId = string

/** A word in both languages. */
export type Both = { en: string; it: string }

/** Why a machine did something, in one language or in both. */
export type Reason = string | Both

export interface HexRow {
  hex: HexId
  terrain: string
  level?: number
  peak?: boolean
  settlement?: boolean | string
  mark?: string
  name?: string
  local_name?: string
  trench?: string
  flag?: string
  gorizia?: boolean
  fort?: string
  fort_side?: string
  control?: string
  source?: string
}

export interface SideRow {
  a: HexId
  b: HexId
  water?: string
  road?: boolean
  trail?: boolean
  path?: string
  railway?: boolean
  crag?: string
  stream?: string
  bridge?: string
  bridge_hex?: string
  destroyed?: boolean
  trench_link?: string
  name?: string
  source?: string
}

export interface Face {
  attack: number
  defence: number
  ma: number
  av: number
}

export interface CounterRow {
  id: UnitId
  side: Seat
  name: string
  full_name?: string
  size: string
  type: string
  corps?: string
  /** By the steps left, the weakest first. */
  faces: Face[]
  source?: string
  note?: string
}

export interface SideInfo {
  name: Both
  army?: Both
  colour?: string
  colour_name?: Both
  /** A strong colour for signs on the map, and the shape of the side's signs. */
  ink?: string
  shape?: 'square' | 'round'
}

export interface Grid {
  columns: [number, number]
  rows: [number, number]
  odd_columns_lower: boolean
}

export interface Picture {
  width: number
  height: number
  x0: number
  y0: number
  dx: number
  dy: number
}

/** Everything printed. */
export interface Board {
  game: string
  pack: {
    title: Both | string
    subtitle?: Both | string
    sides: Record<Seat, SideInfo>
    files?: Record<string, { source: string; en: string; it: string }>
    credits?: Record<string, string | Both>
    scale?: { hex: Both; turn: Both }
  }
  board: { top_of_map: string; top_level: number; grid: Grid; picture: Picture; credits?: string; source?: string }
  hexes: HexRow[]
  hexsides: SideRow[]
  counters: CounterRow[]
  objectives: Record<HexId, number>
  tables: Record<string, Record<string, unknown>>
  scenarios: { gt1_date?: string }
  glossary: { term?: GlossaryTerm[] }
  words: Record<Language, Words>
}

export interface GlossaryTerm {
  abbreviation: string
  english: string
  label_it: string
  italian: string
}

export type Words = { [table: string]: string | Words }

export interface OptionInfo {
  id: string
  default: string | boolean
  values: (string | boolean)[]
  rule: string
  title: Partial<Both>
  why?: string
}

export interface GameInfo {
  id: string
  title: Both
  subtitle: Both
  summary: Partial<Both>
  scenarios: { id: string; title: Both; description: Both }[]
  options: OptionInfo[]
  seats: ({ id: Seat } & SideInfo)[]
  /** Machine levels; `timed`: it can be told how long to think. */
  players: { id: string; name: Both; about: Both; timed: boolean }[]
  /** There is a first lesson for this game. */
  lesson: boolean
}

/** What brings the next step of a lesson: one of these, or an event of a kind with some of its data. */
export interface Until {
  picked?: UnitId
  decision?: string
  turn?: number
  event?: string
  [data: string]: string | number | undefined
}

export interface LessonStep extends Both {
  show?: HexId[]
  until?: Until[]
  /** The learner may also go on by a button. */
  ahead?: boolean
  last?: boolean
}

/** A first lesson: a small position on a corner of the board, and its steps. */
export interface Lesson {
  game: string
  scenario: string
  seed: string
  seats: Record<Seat, string>
  position: Record<string, unknown>
  corner: [HexId, HexId]
  title: Both
  steps: LessonStep[]
}

export interface Rule {
  id: string
  /** How it is cited, where its id is not what the booklet prints. */
  cite?: string
  title: string
  chapter?: string
  must: string
  ruling?: string
  issue?: string
  note?: string
  refs?: string[]
}

export interface OwnUnit {
  id: UnitId
  hex: string
  steps: number
  ce: number
  supply: string
  marks?: string[]
}

export interface EnemyUnit {
  id: UnitId
  hex: string
  steps: number
  ce?: number
  supply?: string
  mov?: boolean
}

export interface View {
  game: string
  scenario: string
  /** Null for spectators, who see what both sides know. */
  seat: Seat | null
  turn: number
  phase: string
  active: Seat
  decides: Seat | null
  decision: string | null
  own: OwnUnit[]
  enemy: EnemyUnit[]
  eliminated: UnitId[]
  held: HexId[]
  sizes?: Record<HexId, number>
  moving?: { unit: UnitId; left: number }
  battle?: Record<string, unknown>
  destroyed?: string[]
  pontoons?: Record<UnitId, string>
  /** 14.2.e: hexsides crossed this turn, by the side with this number, in the slot of a brigade or a battalion. */
  crossed?: [string, number, string][]
  points?: number
  score?: number
  /** Altipiani, optional rules: replacement points by side, the Italians defend better, the Russians attack. */
  replacements?: Record<Seat, number>
  improved?: boolean
  brusilov?: boolean
  /** Altipiani, the first turns: units that may not move yet, as far as one knows, and the side whose guns make the barrage. */
  frozen?: UnitId[]
  barrage?: Seat
}

export type Action = { do: string } & Record<string, unknown>

export interface Decision {
  seat: Seat
  kind: string
  rules: string[]
  about: Record<string, unknown> | null
  text: string | null
  hint: string | null
}

export interface ReachEntry {
  left: number
  path: HexId[]
}

export interface MoveOffer {
  left: number
  recover: boolean
  reach: Record<HexId, ReachEntry>
}

export interface TargetOffer {
  units: UnitId[]
  guns: UnitId[]
  steps_per_hex: number
}

/** What is on offer; which fields are there depends on the decision. */
export interface Offer {
  actions?: Action[]
  units?: Record<UnitId, MoveOffer>
  unlimber?: UnitId[]
  overstacked?: HexId[]
  show?: UnitId[]
  targets?: Record<HexId, TargetOffer>
  bombardments?: { gun: UnitId; bridge: string }[]
  guns?: UnitId[]
  /** Retreats: by path what it adds to the loss die, and last hexes without room. */
  prices?: Record<string, number>
  full?: HexId[]
}

export interface Happening {
  line: number
  kind: string
  rules: string[]
  data: Record<string, unknown>
  text: string
}

export interface Outcome {
  level: string
  score: number
  winner: string | null
  rules: string[]
  text: string
}

/** What a seat has before it. */
export interface Table {
  line: number
  revision: number
  /** The events are those of the lines after this one. */
  after: number
  view: View
  decision: Decision | null
  offer: Offer | null
  undo: boolean
  orders: Record<string, string>
  policies: Record<string, string[]>
  result: Outcome | null
  events: Happening[]
  clock: Clock | null
}

/** The clocks at the moment a table was made, in milliseconds. */
export interface Clock {
  total: number
  delay: number
  left: Record<Seat, number>
  /** What the present stretch still has free. */
  free: number
  running: Seat | null
  /** The side whose time is up. */
  fallen: Seat | null
}

export interface Refusal {
  rule: string
  why: string
  /** Seconds after which the same may be sent again: nothing has happened. */
  retry?: number | null
}

/** From the unit to its source; without a path in range there is none. */
export interface SupplyPath {
  path: HexId[]
  length: number | null
  state: string
}

export interface Odds {
  void?: boolean
  hidden?: boolean
  collapse?: boolean
  attack?: number
  defence?: number
  column?: string | null
  over?: number
  flanked?: boolean
  trench?: boolean
  terrain?: string
  attack_av?: number
  defence_av?: number
  steps?: number
  of?: number
  attack_retreat?: number[]
  defence_retreat?: number[]
  attack_loss?: number[]
  defence_loss?: number[]
  destroyed?: number
  unknown?: string[]
  /** Where the parts come from. */
  rules?: Record<string, string>
}

export interface MatchInfo {
  id: string
  name: string
  game: string
  scenario: string
  options: Record<string, string>
  seats: Record<Seat, string>
  line: number
  result: Omit<Outcome, 'text'> | null
  commitment: string
  seed_known: boolean
  created: string
  changed: string
  you: Seat | null
  /** What the link is for. */
  role: Role | null
  people: Record<Seat, Holder>
  spectators: Choice
  wishes: Record<Seat, Choice | null>
  clock: ClockRule | null
  pledge: Pledge | null
  ended: string | null
  error: string | null
}

export type Role = 'seat' | 'watch' | 'spectator' | 'owner' | 'invite'

/** How the dice come about: what the house is bound to, what the seats put in, and all the rest at the end. */
export interface Pledge {
  house: string
  seals: Record<Seat, string>
  words: Record<Seat, string>
  secret: string | null
  seed: string | null
  /** The times it was begun anew since a word was lost, and who asks for that now. */
  anew: { by: Seat; agreed: Seat[]; house: string }[]
  asked: { by: Seat; agreed: Seat[]; waits: Seat[] } | null
}

/** Who holds a seat. */
export interface Holder {
  state: 'held' | 'invited' | 'open'
  name: string
  here: boolean
  forced: boolean
}

/** What spectators see: `common`, `nothing`, or a seat with a delay. */
export interface Choice {
  see: string
  lines: number
  minutes: number
}

/** Seconds: the total of each side, and what every stretch has free. */
export interface ClockRule {
  total: number
  delay: number
}

/** What a saved match is, before anybody goes on with it. */
export interface Looked {
  game: string
  scenario: string
  /** Who played; null where the save does not say. */
  seats: Record<Seat, string | null>
  lines: number
  over: boolean
  /** Why nobody can go on with it here. */
  error: string | null
}

/** What the server offers to visitors. */
export interface House {
  local: boolean
  accounts: boolean
  open_matches: boolean
  public_url: string
}

export interface Said {
  number: number
  channel: 'players' | 'spectators'
  seat: Seat
  name: string
  text: string
  at: number
}

export interface LinkShown {
  id: string
  kind: Role
  seat: Seat
  created: number
  yours: boolean
}

export interface MadeLink {
  id: string
  kind: Role
  seat: Seat
  token: string
}

/** The ways in which the server sends notices; `push` is its public key. */
export interface Offered {
  mail: boolean
  webhook: boolean
  push: string | null
}

export interface NoticeShown {
  id: string
  kind: 'mail' | 'webhook' | 'push'
  address: string
  confirmed: boolean
}

/** Sums of one seat: reductions of the enemy, its own, the difference. */
export interface LuckSums {
  inflicted: number
  suffered: number
  net: number
}

export interface LuckPoint {
  line: number
  turn: number
  net: number
  expected: number
  low80: number
  high80: number
  low95: number
  high95: number
}

export interface LuckOfSeat {
  combats: number
  expected: LuckSums
  rolled: LuckSums
  luck: number
  bands: Record<string, [number, number]>
  share: number
  series: LuckPoint[]
}

/** What the dice gave against what was to be expected (docs/dice.md). */
export interface Luck {
  line: number
  seats: Record<Seat, LuckOfSeat>
  dice: Record<string, { dice: number; faces: number[]; mean: number }>
}
