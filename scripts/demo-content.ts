// Long because it is data: the contents of the demo workspace, a small studio that designs and builds for a few
// clients.

export type DemoPerson = 'owner' | 'admin' | 'lead' | 'member' | 'client' | 'outsider';
export type Discipline = 'design' | 'development' | 'content' | 'management';

/** A task: name, tags, discipline. */
type DemoTask = readonly [name: string, tags: string, discipline: Discipline];

export interface DemoProject {
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly owner: DemoPerson;
  readonly members: readonly DemoPerson[];
  readonly brief: readonly string[];
  /** Sorted from oldest to newest. The oldest tasks are mostly completed. */
  readonly tasks: readonly DemoTask[];
}

export const people: Readonly<Record<DemoPerson, string>> = {
  owner: 'Mara Lindqvist',
  admin: 'Tomas Okafor',
  lead: 'Priya Raman',
  member: 'Jonas Weber',
  client: 'Elena Duarte',
  outsider: 'Sam Whitaker',
};

export const teams = [
  { name: 'Design', parent: null, people: { lead: 'lead', member: 'member' } },
  { name: 'Brand', parent: 'Design', people: { member: 'lead', client: 'member' } },
  { name: 'Delivery', parent: null, people: { admin: 'lead', owner: 'member' } },
] as const;

export const northwind: readonly DemoProject[] = [
  {
    name: 'Harbour Coffee rebrand',
    description:
      'New identity for a roaster with eleven shops: mark, packaging, signage and a guide to keep it tidy.',
    status: 'in-progress',
    owner: 'lead',
    // The owner is a member so that the examples in the reference work in this project.
    members: ['member', 'client', 'owner'],
    brief: [
      'The mark has to read at 12 mm on a valve sticker and at three metres on a shop front.',
      'Elena wants to see two directions side by side, not one favorite and one straw man.',
      'Kraft stock drinks ink: proof on the real paper before anybody signs anything off.',
      'Keep the anchor. The founders will part with everything else.',
    ],
    tasks: [
      ['Audit of every place the old logo appears', 'brand research', 'design'],
      ['Interviews with three shop managers', 'research', 'management'],
      ['Competitor shelf photographs, four supermarkets', 'research print', 'design'],
      ['Brand attributes workshop with the founders', 'workshop', 'management'],
      ['Mood boards: dockside, botanical, plain-spoken', 'brand', 'design'],
      ['Logo sketches, first round', 'brand logo', 'design'],
      ['Wordmark: test five open-source grotesques', 'brand type', 'design'],
      ['Present directions A and B to Elena', 'review', 'management'],
      ['Redraw the anchor on an eight-unit grid', 'brand logo', 'design'],
      ['Color palette with contrast table', 'brand accessibility', 'design'],
      ['One-color version for stamps and embossing', 'logo print', 'design'],
      ['Name the six house blends', 'copy', 'content'],
      ['Tasting notes for the spring range', 'copy packaging', 'content'],
      ['Dielines from the bag supplier', 'packaging print', 'management'],
      ['250 g bag: front and gusset layout', 'packaging', 'design'],
      ['1 kg wholesale bag layout', 'packaging', 'design'],
      ['Valve sticker artwork', 'packaging print', 'design'],
      ['Proof of kraft stock with white underprint', 'print', 'management'],
      ['Barcode placement and scan test', 'packaging', 'development'],
      ['Shop front signage for Quay Street', 'signage', 'design'],
      ['Menu board template with swappable prices', 'signage', 'design'],
      ['Loyalty card, foil quote from two printers', 'print', 'management'],
      ['Staff apron embroidery file', 'merchandise', 'design'],
      ['Photography brief: hands, steam, no latte art', 'photo', 'content'],
      ['Select and grade 40 product photographs', 'photo', 'design'],
      ['Voice and tone, two pages at most', 'copy brand', 'content'],
      ['Brand guide: logo, color, type', 'brand guide', 'design'],
      ['Brand guide: packaging and signage', 'brand guide', 'design'],
      ['Icon set for allergens and brew methods', 'icons', 'design'],
      ['Van livery, both sides and rear door', 'signage', 'design'],
      ['Press kit for the relaunch', 'press copy', 'content'],
      ['Rollout plan for eleven shops', 'planning', 'management'],
      ['Hand over source files and licenses', 'handover', 'management'],
      ['Retrospective with Harbour Coffee', 'review', 'management'],
    ],
  },
  {
    name: 'Fieldnote mobile app',
    description:
      'An app for botanists who record finds where there is no signal. iOS and Android, offline first.',
    status: 'active',
    owner: 'owner',
    members: ['lead', 'member'],
    brief: [
      'Assume no connection for three days and a battery at 20 percent.',
      'A record that was saved must survive a crash, a flat battery and an app update.',
      'Testers wear gloves: nothing that matters may be smaller than 48 points.',
      'Sync conflicts are shown to the person, never resolved behind their back.',
    ],
    tasks: [
      ['Shadow two surveyors for a morning', 'research', 'design'],
      ['Map the journey from find to herbarium', 'research', 'design'],
      ['Choose the local database: spike SQLite against Realm', 'spike offline', 'development'],
      ['Record schema with versioned migrations', 'offline', 'development'],
      ['Wireframes: new record in three taps', 'ux', 'design'],
      ['Prototype test with five testers in gloves', 'ux research', 'design'],
      ['Camera capture with location and heading', 'ios android', 'development'],
      ['Photo compression off the main thread', 'performance', 'development'],
      ['Species list: import 48,000 names', 'data', 'development'],
      ['Typo-tolerant species search', 'search', 'development'],
      ['Sync protocol: write down the failure cases', 'offline sync', 'development'],
      ['Sync engine, first version', 'offline sync', 'development'],
      ['Show conflicts side by side', 'sync ux', 'design'],
      ['Offline map tiles for a survey area', 'maps', 'development'],
      ['GPS drift: warn when accuracy is worse than 30 m', 'maps bug', 'development'],
      ['Dark theme for night surveys', 'ux accessibility', 'design'],
      ['Battery use over an eight-hour walk', 'performance', 'development'],
      ['Crash on Android 12 when the camera is revoked', 'android bug', 'development'],
      ['Duplicate records after an interrupted sync', 'sync bug', 'development'],
      ['Export as Darwin Core archive', 'data', 'development'],
      ['VoiceOver and TalkBack pass over every screen', 'accessibility', 'development'],
      ['Onboarding: three screens, skippable', 'ux copy', 'content'],
      ['Empty states that say what to do next', 'copy', 'content'],
      ['Privacy notice in plain words', 'legal copy', 'content'],
      ['App Store screenshots, six sizes', 'release', 'design'],
      ['TestFlight build for the pilot group', 'release ios', 'development'],
      ['Play Store closed track', 'release android', 'development'],
      ['Pilot in the Lahn valley: collect feedback', 'pilot', 'management'],
      ['Fix the top ten of the pilot feedback', 'pilot bug', 'development'],
      ['Crash reporting that asks first', 'privacy', 'development'],
      ['License of the botanical illustrations', 'legal', 'management'],
      ['Invoice for milestone 2', 'finance', 'management'],
      ['Release notes for 1.0', 'release copy', 'content'],
      ['Plan the tablet layout for 1.1', 'planning ux', 'design'],
    ],
  },
  {
    name: 'Atlas Museum website',
    description:
      'Relaunch of the museum site: exhibitions, tickets, a collection of 12,000 objects, four languages.',
    status: 'in-progress',
    owner: 'admin',
    members: ['member', 'client'],
    brief: [
      'Opening hours are what two thirds of the visitors come for. They are on every page, in the first screen.',
      'The old addresses are printed on plaques: every one of them redirects.',
      'Curators write in a word processor and will not stop. The import has to cope.',
      'Everything works without JavaScript but the seat picker.',
    ],
    tasks: [
      ['Content inventory of the old site', 'content', 'content'],
      ['Analytics review: what visitors look for', 'research', 'management'],
      ['Information architecture, card sort with 14 visitors', 'ux research', 'design'],
      ['Redirect map for 3,100 old addresses', 'seo', 'development'],
      ['Choose the content system with the editors', 'spike', 'management'],
      ['Page templates: exhibition, object, event', 'web', 'design'],
      ['Opening hours component with exceptions', 'web', 'development'],
      ['Ticket shop: integrate the booking system', 'web tickets', 'development'],
      ['Seat picker for the lecture hall', 'web tickets', 'development'],
      ['Collection import: 12,000 objects with rights', 'data', 'development'],
      ['Search with spelling tolerance in four languages', 'search', 'development'],
      ['Object page: deep zoom for scans', 'web', 'development'],
      ['Image rights: mark what may be downloaded', 'legal data', 'content'],
      ['Translation workflow with the agency', 'translation', 'management'],
      ['Translate the visitor pages to French', 'translation', 'content'],
      ['Translate the visitor pages to Polish', 'translation', 'content'],
      ['Easy-language versions of ten pages', 'accessibility copy', 'content'],
      ['Audio guide player with transcripts', 'web accessibility', 'development'],
      ['Keyboard trap in the gallery overlay', 'bug accessibility', 'development'],
      ['Map of the building, printable', 'web print', 'design'],
      ['Newsletter sign-up with double opt-in', 'web privacy', 'development'],
      ['Cookie banner: find out whether we need one', 'privacy legal', 'management'],
      ['Page weight budget: 300 kB for the start page', 'performance', 'development'],
      ['Load test before the Vermeer tickets go on sale', 'performance tickets', 'development'],
      ['Wrong ticket price for groups of ten', 'bug tickets', 'development'],
      ['Event calendar feed for the city portal', 'web', 'development'],
      ['Structured data for exhibitions', 'seo', 'development'],
      ['Editor training, two afternoons', 'training', 'management'],
      ['Editor handbook with screenshots', 'training copy', 'content'],
      ['Accessibility statement', 'accessibility legal', 'content'],
      ['Press area with image downloads', 'press', 'design'],
      ['Go-live checklist and rollback plan', 'launch', 'management'],
      ['Watch the logs for missing redirects', 'launch seo', 'development'],
    ],
  },
  {
    name: 'Studio operations',
    description: 'What keeps the studio running: people, money, machines and the coffee account.',
    status: 'active',
    owner: 'owner',
    members: ['admin'],
    brief: [
      'Write it down so that the next person does not have to ask.',
      'If it takes longer than an afternoon, talk about it first.',
      'Keep the receipts.',
    ],
    tasks: [
      ['Renew the liability insurance', 'finance legal', 'management'],
      ['Quarterly VAT return', 'finance', 'management'],
      ['Replace the switch in the server cupboard', 'hardware', 'development'],
      ['Rotate the passwords of shared accounts', 'security', 'development'],
      ['Second factor for everyone, without exception', 'security', 'development'],
      ['Backup restore drill', 'security', 'development'],
      ['Laptop for the new developer', 'hardware hiring', 'management'],
      ['Job advert: front-end developer', 'hiring copy', 'content'],
      ['First interviews, four candidates', 'hiring', 'management'],
      ['Portfolio review with two designers', 'hiring', 'design'],
      ['Onboarding plan for the first two weeks', 'hiring', 'management'],
      ['Rates for next year', 'finance', 'management'],
      ['Chase the Kestrel invoice, 45 days overdue', 'finance', 'management'],
      ['Move the file server to the new storage', 'hardware', 'development'],
      ['Font licenses: list what we own', 'legal', 'design'],
      ['Case study: Fieldnote', 'marketing copy', 'content'],
      ['Case study: Harbour Coffee', 'marketing copy', 'content'],
      ['Portfolio site: new start page', 'marketing web', 'design'],
      ['Contact form spam', 'bug web', 'development'],
      ['Studio newsletter, autumn', 'marketing copy', 'content'],
      ['Talk proposal for the regional design day', 'marketing', 'content'],
      ['Book the retreat, 12 people, reachable by train', 'events', 'management'],
      ['Fire drill and first-aid kit check', 'safety', 'management'],
      ['Desk lamps for the north side', 'office', 'management'],
      ['Printer profile is off since the update', 'hardware bug', 'design'],
      ['Template for statements of work', 'legal', 'management'],
      ['Data processing agreements: three are missing', 'legal privacy', 'management'],
      ['Time sheets: remind without nagging', 'process', 'management'],
      ['Retrospective of the quarter', 'process', 'management'],
      ['Coffee account is in the red again', 'office', 'management'],
      ['Price list for maintenance contracts', 'finance copy', 'content'],
      ['Domain renewals, eleven of them', 'web', 'development'],
    ],
  },
  {
    name: 'Lumen design system',
    description: 'Components, tokens and guidance for a utility with six product teams and one brand.',
    status: 'active',
    owner: 'lead',
    members: ['owner', 'member'],
    brief: [
      'A component ships with its states, its keyboard behavior and a reason to exist.',
      'Six teams use it on three frameworks: tokens and HTML first, wrappers second.',
      'Breaking changes come with a codemod or they do not come.',
    ],
    tasks: [
      ['Inventory of 214 buttons', 'research', 'design'],
      ['Interviews with six product teams', 'research', 'design'],
      ['Token naming: agree on three tiers', 'tokens', 'design'],
      ['Color tokens for light and dark', 'tokens accessibility', 'design'],
      ['Spacing and type scale', 'tokens', 'design'],
      ['Token pipeline: one source, four outputs', 'tokens build', 'development'],
      ['Button: states, sizes, loading', 'component', 'development'],
      ['Text field with validation messages', 'component forms', 'development'],
      ['Select: native first, styled where it must be', 'component forms', 'development'],
      ['Date field without a mouse', 'component accessibility', 'development'],
      ['Checkbox and radio groups', 'component forms', 'development'],
      ['Dialog with focus return', 'component accessibility', 'development'],
      ['Toast messages that screen readers announce', 'component accessibility', 'development'],
      ['Table with sticky header and sort', 'component', 'development'],
      ['Tabs or accordion: guidance', 'guidance', 'content'],
      ['Empty, loading and error states', 'guidance ux', 'design'],
      ['Writing errors that help', 'guidance copy', 'content'],
      ['Icon pipeline: strip, optimize, name', 'icons build', 'development'],
      ['60 icons on the 20-unit grid', 'icons', 'design'],
      ['Visual regression tests on every pull request', 'build', 'development'],
      ['Focus ring is invisible on the blue header', 'bug accessibility', 'design'],
      ['Dialog scrolls the page behind it on iOS', 'bug ios', 'development'],
      ['Right-to-left pass', 'i18n', 'development'],
      ['Documentation site with live examples', 'docs web', 'development'],
      ['Contribution guide', 'docs process', 'content'],
      ['Design library: publish and version', 'figma', 'design'],
      ['Migration of the billing team', 'migration', 'development'],
      ['Migration of the outage map', 'migration', 'development'],
      ['Codemod for the renamed spacing tokens', 'migration build', 'development'],
      ['Office hours, every second Tuesday', 'process', 'management'],
      ['Adoption report for the steering group', 'process', 'management'],
      ['Release 2.0: announce and support', 'release', 'management'],
      ['Chart colors that survive printing', 'tokens print', 'design'],
      ['Prototype: density setting for control rooms', 'spike ux', 'design'],
    ],
  },
  {
    name: 'Brightwater autumn campaign',
    description:
      'Six weeks of campaign for a chain of swimming baths: posters, radio, a landing page, a season ticket.',
    status: 'planned',
    owner: 'admin',
    members: ['lead', 'client'],
    brief: [
      'It is raining anyway: that is the whole idea, do not explain it.',
      'The season ticket has to be bought in under a minute on a phone at a bus stop.',
      'No stock photographs of people laughing at water.',
    ],
    tasks: [
      ['Kick-off with Brightwater', 'planning', 'management'],
      ['Media plan for three cities', 'planning media', 'management'],
      ['Campaign idea: three routes', 'concept', 'content'],
      ['Route 2, written out', 'concept copy', 'content'],
      ['Headlines: forty, then five', 'copy', 'content'],
      ['Key visual, first layout', 'layout', 'design'],
      ['Photo shoot in the empty pool', 'photo', 'management'],
      ['Model releases and pool access', 'photo legal', 'management'],
      ['Retouching of the key visual', 'photo', 'design'],
      ['City-light poster, 1185 × 1750 mm', 'print poster', 'design'],
      ['Bus rear, both formats', 'print poster', 'design'],
      ['Tram swing cards', 'print', 'design'],
      ['Radio spot: script, 20 seconds', 'radio copy', 'content'],
      ['Radio spot: casting and recording', 'radio', 'management'],
      ['Landing page wireframe', 'web ux', 'design'],
      ['Landing page build', 'web', 'development'],
      ['Season ticket checkout in four steps', 'web tickets', 'development'],
      ['Checkout drops the voucher on reload', 'web bug', 'development'],
      ['Apple and Google wallet passes', 'web tickets', 'development'],
      ['Measurement without third-party cookies', 'web privacy', 'development'],
      ['Social cut-downs, 6 and 15 seconds', 'video', 'design'],
      ['Subtitles for every clip', 'video accessibility', 'content'],
      ['Influencer list, local only', 'media', 'management'],
      ['Staff T-shirts for launch day', 'merchandise', 'design'],
      ['Banner set, fourteen formats', 'web media', 'design'],
      ['Newsletter to 22,000 members', 'email copy', 'content'],
      ['Proof of the posters under street light', 'print', 'design'],
      ['Book the printers for calendar week 40', 'print', 'management'],
      ['Launch day run sheet', 'launch', 'management'],
      ['Weekly numbers for Elena', 'reporting', 'management'],
      ['Swap the headline if it does not rain', 'copy', 'content'],
      ['Remove the posters, photograph the best', 'launch', 'management'],
      ['Final report with lessons', 'reporting', 'management'],
    ],
  },
];

export const contoso: readonly DemoProject[] = [
  {
    name: 'Sensor firmware',
    description: 'Firmware of the second-generation soil sensor.',
    status: 'active',
    owner: 'outsider',
    members: ['owner'],
    brief: ['Two AA cells, two years. Every microamp is somebody walking through a field.'],
    tasks: [
      ['Measure the sleep current on rev C boards', 'hardware', 'development'],
      ['Bootloader with signed images', 'security', 'development'],
      ['Moisture calibration against oven-dried samples', 'calibration', 'development'],
      ['LoRa retry back-off', 'radio', 'development'],
      ['Data sheet for resellers', 'copy', 'content'],
      ['Field trial on the Keller farm', 'pilot', 'management'],
    ],
  },
  {
    name: 'Investor update',
    description: 'Numbers and slides for the spring round.',
    status: 'on-hold',
    owner: 'outsider',
    members: [],
    brief: ['Ten slides. Nobody has ever asked for an eleventh.'],
    tasks: [
      ['Unit economics, one page', 'finance', 'management'],
      ['Slides: problem, sensor, field data', 'deck', 'design'],
      ['Letter to the angels', 'copy', 'content'],
    ],
  },
];

export const remarks: readonly string[] = [
  'First version is in the shared folder. Please look at page 3 before the rest.',
  'Looks good to me. Two small things, both marked in the file.',
  'The supplier answered: two days later than promised, price unchanged.',
  'I took this one over while Jonas is on the other project.',
  'Can we move this past the review on Thursday? I would rather show it finished.',
  'Done on my side. Whoever closes it: please check the phone layout once more.',
  'Elena asked for a warmer tone. I kept the old version next to it for comparison.',
  'Blocked until we hear back about the license.',
  'Unblocked, the license covers print as well.',
  'Tried it on an old phone: fine, only the first start takes four seconds.',
  'Could somebody who has not seen it yet read it out loud? I no longer notice anything.',
  'Numbers updated. The total changed by less than one percent.',
  'I would drop the third option, it only confuses the decision.',
  'Agreed in the call: we go with B and keep A as a fallback.',
  'Reproduced. It happens when the window is narrower than 340 pixels.',
  'Fixed and deployed to the preview. Please try it with the long name from last week.',
  'Good catch, I had only tested it with one item.',
  'Printed it at full size and taped it to the wall by the kitchen. Opinions welcome.',
  'This is bigger than it looks. I split off the part that can wait.',
  'Waiting for two quotes, both promised for Monday.',
];

export interface DemoMeeting {
  readonly project: string;
  readonly name: string;
  readonly description: string;
  readonly host: DemoPerson;
  readonly guests: readonly DemoPerson[];
  /** The number of weekdays from today, negative for the past. */
  readonly inDays: number;
  readonly time: string;
  readonly minutes: number;
  readonly link?: string;
  readonly location?: string;
  readonly recurrence?: string;
}

export const meetings: readonly DemoMeeting[] = [
  {
    project: 'Harbour Coffee rebrand',
    name: 'Weekly studio review',
    description: 'What moved, what is stuck, what Elena has to decide.',
    host: 'lead',
    guests: ['lead', 'member', 'client'],
    inDays: -21,
    time: '09:30',
    minutes: 45,
    link: 'https://meet.example.com/harbour-weekly',
    recurrence: 'FREQ=WEEKLY',
  },
  {
    project: 'Harbour Coffee rebrand',
    name: 'Packaging sign-off',
    description: 'Bring the kraft proofs.',
    host: 'lead',
    guests: ['member', 'client'],
    inDays: 2,
    time: '14:00',
    minutes: 60,
    location: 'Studio, long table',
  },
  {
    project: 'Harbour Coffee rebrand',
    name: 'Retrospective: first direction',
    description: 'Twenty minutes on what we would do again.',
    host: 'member',
    guests: ['lead', 'member'],
    inDays: -6,
    time: '16:00',
    minutes: 30,
  },
];

/** Structures that show how to break work down. Names refer to tasks of the project. */
export const structure = {
  project: 'Harbour Coffee rebrand',
  colors: { brand: '#7c3aed', packaging: '#0d9488', print: '#ea580c', copy: '#2563eb', signage: '#ca8a04' },
  limits: [{ column: 'in_progress', limit: 10 }],
  fields: [
    {
      name: 'Effort',
      type: 'select',
      options: [
        { name: 'Small', color: 'green' },
        { name: 'Medium', color: 'yellow' },
        { name: 'Large', color: 'red' },
      ],
      values: { 'Van livery, both sides and rear door': '3', 'Press kit for the relaunch': '1' },
    },
    {
      name: 'Supplier',
      type: 'text',
      options: [],
      values: { 'Van livery, both sides and rear door': 'Northside Wraps' },
    },
  ],
  subtasks: {
    'Rollout plan for eleven shops': [
      { name: 'Agree the order of the shops', status: 'completed' },
      { name: 'Two dates with the fitters for each shop' },
      { name: 'Half a day of training for the managers' },
    ],
  },
  checklists: {
    'Press kit for the relaunch': [
      { text: 'Founders’ portrait in print size', isDone: true },
      { text: 'Facts on one page', isDone: true },
      { text: 'Two quotes, approved by Elena' },
      { text: 'Embargo line at the top' },
    ],
    'Hand over source files and licenses': [
      { text: 'Fonts with their licenses' },
      { text: 'Packaging files, outlined and live' },
      { text: 'List of printers and contacts' },
    ],
  },
  blockers: [
    ['Rollout plan for eleven shops', 'Van livery, both sides and rear door'],
    ['Hand over source files and licenses', 'Brand guide: packaging and signage'],
  ],
  recurring: [
    {
      name: 'Weekly proofing round',
      priority: 'medium',
      tags: ['print'],
      inDays: 5,
      recurrence: { rule: 'FREQ=WEEKLY', mode: 'schedule' },
    },
  ],
} as const;
