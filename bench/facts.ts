import type { Random } from './random.ts'
import { colours, foods, instruments, months, people, petNames, places, projects, streets } from './words.ts'

/** Something that is said once and asked about later, in partly other words. */
export interface Fact {
  readonly statement: string
  readonly question: string
}

/** Facts about distinct subjects, so that each question has one answer. */
export function makeFacts(random: Random, count: number): Fact[] {
  const subjects = random.shuffled(templates.flatMap((template) => people.map((person) => ({ template, person }))))
  return subjects.slice(0, count).map(({ template, person }) => template(random, person))
}

type Template = (random: Random, person: string) => Fact

const amount = (random: Random, low: number, high: number): string => String(random.between(low, high))

const templates: readonly Template[] = [
  (random, person) => ({
    statement: `${person} finally moved to ${random.pick(places)}, to a small flat on ${random.pick(streets)} Street.`,
    question: `Which city does ${person} live in these days?`,
  }),
  (random, person) => ({
    statement: `${person}'s rent went up to ${amount(random, 600, 1900)} euros a month.`,
    question: `How much does ${person} pay for the flat?`,
  }),
  (random, person) => ({
    statement: `${person} adopted a puppy last week and named it ${random.pick(petNames)}.`,
    question: `What is ${person}'s dog called?`,
  }),
  (random, person) => ({
    statement: `Please remember that ${person} cannot stand ${random.pick(foods)}, so leave it out of the menu.`,
    question: `What should I not serve when ${person} comes for dinner?`,
  }),
  (random, person) => ({
    statement: `${person}'s birthday is on the ${amount(random, 2, 28)}th of ${random.pick(months)}.`,
    question: `When was ${person} born?`,
  }),
  (random, person) => ({
    statement: `${person} started to learn the ${random.pick(instruments)} with a teacher from the conservatory.`,
    question: `Which musical instrument is ${person} learning?`,
  }),
  (random, person) => ({
    statement: `We agreed that ${person} leads project ${random.pick(projects)} from ${random.pick(months)} on.`,
    question: `Which project is ${person} in charge of?`,
  }),
  (random, person) => ({
    statement: `The locker code that ${person} gave me is ${amount(random, 1000, 9999)}.`,
    question: `How do I open ${person}'s locker?`,
  }),
  (random, person) => ({
    statement: `${person} wants the hallway painted ${random.pick(colours)}, nothing else will do.`,
    question: `What colour did ${person} choose for the hall?`,
  }),
  (random, person) => ({
    statement: `${person} ran the half marathon in ${amount(random, 88, 150)} minutes.`,
    question: `What was ${person}'s time in the race?`,
  }),
  (random, person) => ({
    statement: `${person} lent me ${amount(random, 40, 900)} euros and I promised to return them by ${random.pick(months)}.`,
    question: `How much money do I owe ${person}?`,
  }),
  (random, person) => ({
    statement: `${person} booked the cabin near ${random.pick(places)} for ${amount(random, 3, 14)} nights.`,
    question: `Where is the cottage that ${person} reserved?`,
  }),
]
