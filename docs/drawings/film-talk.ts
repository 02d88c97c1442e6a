// What is said in the animation? A conversation about a garden, long enough for its window.

/** Each question with its answer. The last question asks about the fourth. */
export const talk: readonly (readonly [question: string, answer: string])[] = [
  ['Help me to plan the garden behind our new house.', 'Gladly. Tell me about sun, soil, and who will use it.'],
  ['The soil is heavy clay.', 'Dig in grit and leaf mould in autumn. Roses, asters and apple trees like clay.'],
  ['What about slugs?', 'Keep the lettuce in pots, and collect slugs in the evening with a torch.'],
  ['My daughter Mia is allergic to bee stings.', 'Then plant lavender and thyme far from the door and from her swing.'],
  ['We want to eat from it.', 'Runner beans climb the fence, and two courgettes feed a family all summer.'],
  ['Where does the compost go?', 'In half shade, on bare ground, with a lid against rats and heavy rain.'],
  ['The fence is ugly.', 'Ivy covers it in three years, a clematis in one, and hops in a single summer.'],
  ['How often do I water?', 'Twice a week, early, with a full can for each square metre. Mulch saves half of it.'],
  ['There is an old well.', 'Have it covered first. A pump with a solar panel costs little and needs no cable.'],
  ['Which tree for the lawn?', 'A medlar stays small. A cherry gives shade, and the birds will thank you.'],
  ['And the path?', 'Gravel over fleece, eighty centimetres wide, so that a barrow fits.'],
  ['I have no time in May.', 'Then sow perennial kale and rhubarb, which ask for nothing in spring.'],
  ['What can stay in winter?', 'Leeks, parsnips and corn salad. Cover the rosemary when it freezes hard.'],
  ['The neighbours have hens.', 'Ask for manure. Let it rot for a year before it goes on a bed.'],
  ['Is a pond much work?', 'A small one needs an hour a month. Newts come by themselves, and eat mosquitoes.'],
  ['Which tools do I need?', 'A spade, a fork, a hoe and good secateurs. Borrow everything else.'],
  ['The shed leaks.', 'New felt on the roof, and a gutter that fills a barrel.'],
  ['When do I prune?', 'Apples in February, plums after the harvest, and roses when forsythia blooms.'],
  ['Where may Mia play, with her allergy?', ''],
]
