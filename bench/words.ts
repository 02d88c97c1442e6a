const list = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Our own word lists: every generated text is made of these. */
export const people = list(`
  Amara Bogdan Celeste Dmitri Elspeth Farouk Greta Hamish Ingrid Jomo Katya Leander Mireille Nikhil Odette Pavel
  Quentin Rosalind Soraya Tobias Ursula Vikram Wilhelmina Xavier Yolanda Zoltan Anselm Bettina Corwin Delphine
`)

export const places = list(`
  Lisbon Tromsø Galway Utrecht Ljubljana Porto Tartu Ghent Bergen Kaunas Sibiu Turin Aarhus Brno Cork Dundee
  Freiburg Gdynia Heraklion Innsbruck Jena Kotor Leiden Malmö Nantes Oulu Plovdiv Rijeka Seville Tampere
`)

export const streets = list(
  `Orchard Mill Harbour Chapel Quarry Station Willow Market Foundry Abbey Garden Castle Bridge Meadow Tannery`,
)

export const petNames = list(
  `Pickle Biscuit Waffles Juno Nimbus Pepper Tofu Marble Fennel Olive Rusty Clover Sesame Domino Truffle`,
)

export const foods = list(
  `aubergine coriander blue-cheese shellfish peanuts mushrooms liquorice anchovies celery beetroot rhubarb olives tofu marzipan`,
)

export const colours = list(`ochre teal crimson ivory indigo charcoal olive lavender turquoise copper amber maroon`)

export const instruments = list(`cello clarinet accordion harp trombone oboe banjo viola dulcimer ukulele`)

export const months = list(`January February March April May June July August September October November December`)

export const projects = list(`Kestrel Lantern Basalt Juniper Monsoon Quartz Saffron Thicket Umbra Vellum Walnut Zephyr`)

export const products = list(
  `kettle lantern backpack keyboard bicycle armchair telescope blender raincoat notebook drill tent`,
)

/** What facts are about: chatter mentions it too, so that a question's words alone do not give its answer away. */
export const matters = list(
  `flat city rent puppy dog dinner menu birthday teacher instrument project locker code hallway race minutes money cabin cottage month`,
)

export interface Topic {
  readonly name: string
  readonly nouns: readonly string[]
  readonly verbs: readonly string[]
  readonly qualities: readonly string[]
}

const topic = (name: string, nouns: string, verbs: string, qualities: string): Topic => ({
  name,
  nouns: list(nouns),
  verbs: list(verbs),
  qualities: list(qualities),
})

export const topics: readonly Topic[] = [
  topic(
    'garden',
    'seedlings compost hedge tomatoes greenhouse soil pruning lawn bulbs trellis watering slugs',
    'plant prune water dig weed mulch',
    'muddy green overgrown sunny shady tidy',
  ),
  topic(
    'move',
    'boxes lease landlord deposit kitchen neighbours movers attic keys paint curtains boiler',
    'pack unpack carry measure repaint sign',
    'cramped bright noisy empty spacious damp',
  ),
  topic(
    'work',
    'meeting deadline budget manager report review client roadmap release interview desk slides',
    'finish present review postpone hire rewrite',
    'urgent late quiet hectic unclear promising',
  ),
  topic(
    'health',
    'sleep knee dentist stretching appetite clinic headache vitamins running posture allergy pulse',
    'rest stretch jog breathe recover measure',
    'sore tired rested stiff better dizzy',
  ),
  topic(
    'cooking',
    'dough oven stew knife recipe spices leftovers sauce pan lentils pastry market',
    'bake simmer chop knead roast season',
    'crispy bland salty tender burnt rich',
  ),
  topic(
    'travel',
    'ticket luggage hostel ferry passport itinerary museum border train map souvenir delay',
    'book pack cross wander miss visit',
    'cheap crowded scenic distant foggy lively',
  ),
  topic(
    'music',
    'chorus rehearsal melody concert amplifier rhythm lyrics choir tuning stage setlist encore',
    'practise sing record tune perform compose',
    'loud mellow catchy slow bright off-key',
  ),
  topic(
    'school',
    'homework exam lecture library thesis notebook tutor syllabus grade seminar essay laboratory',
    'study revise submit read explain memorise',
    'tricky boring useful difficult short graded',
  ),
  topic(
    'software',
    'database query cache deploy server index test branch latency schema queue logs',
    'refactor deploy debug profile migrate cache',
    'flaky slow broken stable verbose redundant',
  ),
  topic(
    'family',
    'cousin birthday dinner photos grandmother wedding toddler holiday letter reunion naptime gift',
    'visit phone celebrate babysit cook argue',
    'cheerful stubborn proud sleepy sweet loud',
  ),
  topic(
    'money',
    'savings invoice taxes pension receipt mortgage account fee budget refund insurance loan',
    'save invest repay compare file split',
    'expensive overdue modest fixed surprising fair',
  ),
  topic(
    'sport',
    'training match coach league goalkeeper bicycle climbing rope medal season injury team',
    'train climb win pedal swim score',
    'fast steep exhausting friendly narrow fierce',
  ),
]
