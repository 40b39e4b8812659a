/** What the server sends (docs/server.md). The client draws it and knows no rules. */

export type Language = 'en' | 'it'
export type Seat = string
/** A body of pieces of one colour; in many games it has the name of its seat. */
export type Force = string
export type HexId = string
export type UnitId = string

/** A word in both languages. */
export type Both = { en: string; it: string }

/** Why a machine did something, in one language or in both. */
export type Reason = string | Both

/** A hex as it is printed; what is drawn of it is the server's matter. */
export interface HexRow {
  level?: number
  hex: HexId
  terrain: string
  name?: string
  source?: string
}

export interface SideRow {
  a: HexId
  b: HexId
  name?: string
}

/** A counter as it is printed, column by column. */
export interface CounterRow {
  id: UnitId
  side: Force
  name: string
  full_name?: string
  source?: string
  note?: string
  [column: string]: unknown
}

/** One thing on a counter, and when it is there (`look.toml` of the pack). */
export interface Part {
  slot?: string
  text?: string
  symbol?: string
  words?: Record<string, string>
  hide?: string[]
  only?: Record<string, string[]>
  unless?: Record<string, string[]>
  mark?: string
  face?: number
  known?: boolean
  roman?: boolean
  badge?: string
  colour?: string | string[] | Record<string, string>
  by?: string
  ink?: string
  size?: number
}

/** A part with its place on a counter that is drawn around 0,0 and 60 wide. */
export interface LaidOut {
  part: Part
  x: number
  y: number
  base: number
  size: number
  fit: number
  bold: boolean
  shape?: string
  fill?: string
  ink?: string
}

export interface SignLook {
  symbol?: string
  crossing?: boolean
}

/** How to draw what lies on the board. */
export interface Look {
  /** Colours by their names. */
  tokens: Record<string, string>
  /** The colour of each force's counters. */
  cards: Record<Force, string>
  /** With what the columns of each face end, from the fresh one on. */
  faces: string[]
  parts: LaidOut[]
  text: Part[]
  /** Where a piece looks, before it is turned. */
  arrow: string
  /** Marks of one's own pieces that have done their part, with the phases in which they are paler; none: in all. */
  spent: Record<string, string[]>
  /** How many hexsides are the front of a piece that looks somewhere; 0: no front is drawn. */
  front: number
  /** Terrains in which all hexsides are front, each with the readings of options under which they are not. */
  all_round: Record<string, Record<string, string>>
  signs: Record<string, SignLook>
  /** What stands in every hex of a layer of an overlay, by its kind. */
  layers: Record<string, SignLook>
  unknown: SignLook
  beside: number[]
  around: [number, number][]
  /** How far from the middle of its hex a sign lies that points at a hexside. */
  pointing: number
  /** Where the bridges are. */
  crossings: Record<string, [number, number]>
  /** Every kind of thing that is printed on the board, in the order of its legend. */
  legend: LegendKind[]
}

/** Something that is printed in hexes or on hexsides: a column of their rows, with this word in it or with any. */
export interface LegendKind {
  key: string
  group: string
  of: 'hex' | 'side'
  column: string
  value: string
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
  /** Empty where the board is plain paper. */
  file?: string
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
    sides: Record<Force, SideInfo>
    files?: Record<string, { source: string; en: string; it: string }>
    credits?: Record<string, string | Both>
    scale?: { hex: Both; turn: Both }
  }
  board: { grid: Grid; picture: Picture; credits?: string; source?: string }
  hexes: HexRow[]
  hexsides: SideRow[]
  counters: CounterRow[]
  setting: Setting
  /** The seat for which a higher score is better; empty where nobody scores. */
  scorer: Seat
  capabilities: Capabilities
  look: Look
  /** Where the drawn board is. */
  map: string
  tables: Record<string, Record<string, unknown>>
  /** The family of games that it belongs to: what the client has of its own for it. */
  family: string
  /** The levels of the machine. */
  players: GameInfo['players']
  /** How the booklet cites those rules whose number is not what it prints. */
  cites: Record<string, string>
  /** The first and the last day of each turn; none where turns are no matter of days. */
  days: [string, string][]
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
  /** What its values mean, where they are not yes and no. */
  readings: Record<string, Both>
  why?: string
}

export interface GameInfo {
  id: string
  title: Both
  subtitle: Both
  summary: Partial<Both>
  scenarios: { id: string; title: Both; description: Both; seats: Seat[] }[]
  /** The scenario for a first evening; empty where the game has none. */
  evening: string
  /** Whom a newcomer plays in it; the first seat where the game names none. */
  evening_seat: string
  options: OptionInfo[]
  /** The seats of all its scenarios; which of them a scenario has, it says itself. */
  seats: ({ id: Seat } & SideInfo)[]
  /** Machine levels; `timed`: it can be told how long to think. */
  players: { id: string; name: Both; about: Both; timed: boolean }[]
  /** The lessons of its course, in their order. */
  lessons: { id: string; title: Both }[]
  /** Its puzzles, in their order. */
  puzzles: { id: string; title: Both }[]
  /** Where its hexes lie on its picture. */
  sheet: { grid: Grid; picture: Picture }
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
  /** The rules that it is about. */
  rules?: string[]
  until?: Until[]
  /** The learner may also go on by a button. */
  ahead?: boolean
  last?: boolean
}

/** A lesson: a small position on a corner of the board, and its steps. */
export interface Lesson {
  game: string
  /** Its name in the course of the game. */
  lesson: string
  scenario: string
  seed: string
  seats: Record<Seat, string>
  position: Record<string, unknown>
  corner: [HexId, HexId]
  title: Both
  steps: LessonStep[]
  /** The lesson of the course that comes after it. */
  next?: { id: string; title: Both }
}

/** A puzzle: a position out of a machine game, and what is asked there of a seat. */
export interface Puzzle {
  game: string
  /** Its name in the collection of the game. */
  puzzle: string
  scenario: string
  seed: string
  seats: Record<Seat, string>
  /** Of whom it is asked. */
  seat: Seat
  position: Record<string, unknown>
  corner: [HexId, HexId]
  /** The place it is about. */
  hex: HexId
  title: Both
  /** What scouts say of the enemies there, line by line. */
  report: Record<Language, string[]>
  next?: { id: string; title: Both }
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

/** One counter as the seat sees it. What has its default is left out; `types.test.ts` compares these with the server's. */
export interface Piece {
  /** Whose colour it has; which seat commands a force is in the setting. */
  force: Force
  /** A hex, or the name of a place off the map. */
  at: string
  /** Without one the seat does not know which counter of that force this is. */
  id?: UnitId
  mine?: boolean
  /** Which of its printed faces is up; 0, the fresh one, is left out. */
  face?: number
  /** What it is worth now, or all that an anonymous piece shows. */
  values?: Record<string, number | string>
  marks?: string[]
  /** The hexside it looks at, clockwise from the top of the map. */
  facing?: number
  /** How high it lies in its stack; 0, the bottom, is left out. */
  order?: number
}

/** Something on a hex or a hexside that is no piece. */
export interface Sign {
  kind: string
  at: string
  force?: Force
  piece?: UnitId
  facing?: number
  value?: number | string
}

/** A number that is kept beside the map. */
export interface Track {
  name: string
  value: number
  force?: Force
}

/** The piece whose move is open, and its points left in the smallest fraction. */
export interface Moving {
  piece: UnitId
  left: number
}

/** Where the match stands. */
export interface Stage {
  turn: number
  phase: string
  active?: Seat
  activation?: string
  step?: string
  decides?: Seat
  decision?: string
  moving?: Moving
}

/** All that a seat may know; without a seat, what all may know. */
export interface View {
  game: string
  scenario: string
  stage: Stage
  seat?: Seat
  pieces?: Piece[]
  /** The hexes that each force holds, in games in which hexes are held. */
  control?: Record<Force, HexId[]>
  signs?: Sign[]
  tracks?: Track[]
  /** What only the rules of one family of games need. */
  family?: Record<string, unknown>
}

/** What a scenario fixes for everybody. */
export interface Setting {
  seats: Seat[]
  /** Every force, with the seat that commands it. */
  forces: Record<Force, Seat>
  objectives: Record<HexId, number>
  /** The levels of victory from the lowest score on, each with the highest score that gives it; null: any. */
  levels: [string, number | null][]
  /** The hexes in play; none: the whole board. */
  extent: HexId[]
  control: Record<Force, HexId[]>
  /** How many of the smallest parts make one movement point. */
  fraction: number
  /** The last turn there is; 0: dice say when it is over. */
  last_turn: number
}

/** What can be asked of a game. */
export interface Capabilities {
  hidden: boolean
  odds: boolean
  luck: boolean
  by_file: boolean
  overlays: string[]
  piece_overlays: string[]
  usual_overlays: string[]
  paths: boolean
  reasons: boolean
  outlook: boolean
  learners: boolean
  undo: boolean
}

export type Action = { do: string } & Record<string, unknown>

export interface Decision {
  seat: Seat
  kind: string
  /** How it is answered. */
  panel: string
  rules: string[]
  about: Record<string, unknown> | null
  text: string | null
  hint: string | null
  /** The verbs of those answers whose odds can be asked. */
  odds: string[]
  /** In a reaction window, the answer that may be given to the whole move. */
  whole: Action | null
}

/** What a standing order takes: a number within bounds, a piece of one's own, or one of a few words. */
export interface Parameter {
  name: string
  kind: string
  low?: number
  high?: number
  words?: string[]
  default?: number | string
}

/** What every offer has, and all of the offer of `choose` and `place`. `types.test` compares these with the server's. */
export interface Choose {
  actions: Action[]
  more?: boolean
  /** What one should know before ending, with the hexes or pieces meant; words in the pack's table `warning`. */
  warnings?: Record<string, string[]>
  /** Pieces that may be named with the end, by the field of the action. */
  named?: Record<string, UnitId[]>
}

/** What is to be known of an answer: by a hex or a way (`2411-2410`) numbers with words in the pack's table `remark`. */
export type Notes = Record<string, Record<string, number>>

/** Some pieces out of several: the sets that the actions have, or any. */
export interface Subset extends Choose {
  verb: string
  field: string
  pieces: UnitId[]
  free?: boolean
  /** Pieces that are chosen from the start. */
  first?: UnitId[]
  notes?: Notes
}

/** So much in all, shared among pieces or hexes, each within its bounds. */
export interface Allocate extends Choose {
  verb: string
  field: string
  total: number
  shares: Record<string, [number, number]>
}

/** One of several ways. */
export interface Path extends Choose {
  notes?: Notes
}

export interface Reached {
  left: number
  path: HexId[]
}

export interface Mover {
  left: number
  reach: Record<HexId, Reached>
  /** Not all hexes are told: it would be too much for all units together. */
  part?: boolean
}

/** Where pieces can go, and what else can be done. */
export interface Move extends Choose {
  units: Record<UnitId, Mover>
  /** The verb of a move, where it is not `move`. */
  move?: string
  /** Where a piece can be made to look at the end of a move, by the words of the pack's table `compass`. */
  facings?: string[]
  /** Verbs that pieces of one hex do together: one is the `unit`, the others go `along`. */
  along?: string[]
}

/** What is on offer; which fields are there depends on the panel. A family's panel knows those of its own. */
export type Offer = Choose & Partial<Omit<Subset & Allocate & Path & Move, keyof Choose>>

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
  /** The kinds of decision that standing orders of the seat have answered in the lines of the events. */
  obeyed: string[]
  /** By kind of decision the policies of standing orders, each with what it takes. */
  policies: Record<string, Record<string, Parameter[]>>
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

/** Hexes that are marked alike, for a force or for all. */
export interface Layer {
  hexes?: HexId[]
  force?: Force
  kind?: string
  path?: HexId[]
  values?: Record<HexId, number>
}

/** Something to lay over the map. */
export interface Overlay {
  name: string
  layers?: Layer[]
  data?: Record<string, unknown>
}

/** Something that counts in a throw: in words, what it does, and by which rule. */
export interface Fact {
  key: string
  text: string
  effect: string
  rule: string
}

/** One thing that can happen to somebody: how many ways of the dice give 0, 1, 2 ... of it. */
export interface Row {
  what: string
  text: string
  /** The force it happens to; empty: nobody's. */
  who: Force
  counts: number[]
  rule: string
}

/** Odds in words; `of` 0: no dice would be thrown, and the facts say why. */
export interface OddsSheet {
  heading: string
  of: number
  facts: Fact[]
  rows: Row[]
  unknown: string[]
  recalled: string[]
}

/** What is told of a piece or a hex; the lines of a group belong together. */
export interface CardLine {
  text: string
  rule: string
}

export interface Card {
  groups: CardLine[][]
}

/** One thing in the way of a unit: a hex, or the two hexes of the hexside. */
export interface Obstacle {
  rule: string
  why: string
  at: HexId[]
}

/** What bars one part of it, and what would help: each by itself, or all together. */
export interface WhyPart {
  obstacles: Obstacle[]
  helps: CardLine[]
  single: boolean
}

/** What stands between a unit and a hex. */
export interface WhyNot {
  piece: UnitId
  hex: HexId
  path: HexId[]
  /** So many hexes of the path can be entered now. */
  gone: number
  own: WhyPart
  way: WhyPart
  attack: WhyPart | null
}

/** Why a unit can do nothing; `quiet` where that goes without saying. */
export interface Idle {
  rule: string
  why: string
  quiet: boolean
}

export interface Outlook {
  lines: CardLine[]
  layers: Layer[]
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
  /** Who has won, however it ended. */
  winner: Seat | null
  /** Put away by whoever looks at the list. */
  archived: boolean
  /** Whoever plays may ask the machine what it would do; else it is told who did. */
  practice: boolean
  card: MatchCard | null
  error: string | null
}

/** What a list shows of a match: for everybody's eyes. */
export interface MatchCard {
  turn: number
  days: [string, string] | null
  phase: Both
  active: Seat
  owes: Seat | null
  score: Partial<Both>
  sketch: Sketch
}

/** A small picture: from this hex on, so many rows to a column, each run of cells with its length before it. */
export interface Sketch {
  first: HexId
  rows: number
  cells: string
  inks: string[]
}

/** What a match that is over tells. */
export interface Story {
  line: number
  turns: { turn: number; line: number; score: number; text: string }[]
  losses: Record<Seat, { formation: string; pieces: number; lost: number; steps: number; names: string[] }[]>
  points: TurningPoint[]
  judged: boolean
  then: Sketch
  now: Sketch
}

export interface TurningPoint {
  line: number
  last: number
  turn: number
  where: HexId | ''
  gains: Seat
  swing: number
  /** Null and empty where there was no time to weigh it. */
  dice: number | null
  by: 'dice' | 'decision' | ''
  head: string
  texts: string[]
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
  /** Offers a draw. */
  draw: boolean
  /** The lines after which it asked the machine what to do, where that is told. */
  hints: readonly number[]
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
