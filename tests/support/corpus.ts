export interface Sample {
  readonly name: string
  readonly text: string
}

/** One sample per content class, written for these tests; the binary-looking ones are made by `generator`. */
export const corpus: readonly Sample[] = [
  {
    name: 'English prose',
    text: 'The harbour was quiet when the last ferry came in. Two men carried a crate up the ramp, set it down beside the ticket office and argued, without much heat, about who had promised to meet them. Nobody had. It began to rain a little after nine, the kind of rain that does not fall so much as hang in the air, and the lamps along the quay turned into soft yellow circles. Margaret watched all of it from the kitchen window. She had meant to write three letters that evening and had written none; the kettle, the radio and her own curiosity had seen to that. By midnight the crate was still there, and so was she.',
  },
  {
    name: 'English chat',
    text: "hey! quick question: can we move tomorrow's call to 3pm? i'm stuck at the dentist until 2:30 (ugh) and i don't want to be late again lol. also, did you see Tom's message about the budget? he thinks we're ~$400 over, but i'm pretty sure he's counting the hotel twice. anyway, let me know :) thanks!!",
  },
  {
    name: 'English technical',
    text: 'A retransmission timer that is too short wastes bandwidth by resending segments whose acknowledgements are merely delayed; one that is too long leaves the connection idle after a genuine loss. The estimator therefore keeps a smoothed average of the measured round-trip times together with their mean deviation, and sets the timeout conservatively above both. Samples taken from retransmitted segments are ambiguous and must be discarded, otherwise the algorithm systematically underestimates the latency of congested networks.',
  },
  {
    name: 'German',
    text: 'Die Straßenbahn hielt kurz vor der Brücke, weil ein Lieferwagen quer über den Gleisen stand. Der Fahrer entschuldigte sich wortreich bei den Fahrgästen, während seine Kollegin vergeblich versuchte, den Abschleppdienst zu erreichen. Eine ältere Dame erklärte, früher habe es solche Schwierigkeiten nicht gegeben; ein Schüler widersprach ihr höflich, aber bestimmt. Nach zwanzig Minuten übernahm ein Polizist die Verkehrsregelung, und die Haltestellenanzeige sprang endlich von „Störung“ auf „fährt in Kürze weiter“.',
  },
  {
    name: 'French',
    text: "Le boulanger ouvrait sa boutique à six heures, bien avant que le village ne s'éveille. Il disait que l'odeur du pain chaud valait toutes les réclames. Cette année-là, pourtant, les clients se faisaient plus rares : une grande surface avait été inaugurée près de la rocade, et l'on y trouvait des baguettes tièdes à n'importe quelle heure. Il refusa d'abord d'y croire, puis il s'y rendit lui-même, déguisé sous un vieux chapeau, et revint très soulagé : leur croûte n'était même pas dorée.",
  },
  {
    name: 'Spanish',
    text: 'Cuando llegó la carta, nadie en la casa supo quién la había enviado. El sobre no llevaba remitente y la letra, inclinada y nerviosa, parecía escrita sobre las rodillas durante un viaje. Mi abuela la leyó dos veces en silencio, la guardó en el cajón de los manteles y preguntó si alguien quería más café. Años después, cuando vaciamos el piso, el cajón seguía cerrado con llave y dentro sólo encontramos servilletas, un botón y una fotografía de un señor que ninguno de nosotros reconoció.',
  },
  {
    name: 'Finnish and Polish',
    text: 'Junan myöhästyminen ei yllättänyt ketään, sillä asemalaiturilla oli odoteltu jo puoli tuntia ennen kuulutusta. Matkustajat kaivoivat eväänsä esiin ja keskustelivat lumitilanteesta.\nKonduktor przeszedł przez wagon, sprawdzając bilety i uśmiechając się do dzieci. Następna stacja okazała się zamknięta z powodu remontu, więc wszyscy wysiedli dopiero w mieście, gdzie czekały już podstawione autobusy.',
  },
  {
    name: 'Vietnamese and Turkish',
    text: 'Sáng nay trời mưa nhỏ, tôi mang theo chiếc ô cũ của mẹ rồi đi bộ ra chợ. Người bán cá quen mặt hỏi thăm sức khỏe cả nhà và cân thêm cho tôi một ít tôm.\nÇarşının köşesindeki saatçi, dükkânını her gün öğleden sonra açardı. Müşterileri buna alışmıştı; acelesi olan zaten başka yere giderdi.',
  },
  {
    name: 'Russian',
    text: 'Библиотека закрывалась в восемь, но сторож никого не торопил. Он знал, что студенты приходят сюда не столько за книгами, сколько за теплом и тишиной. В читальном зале горели зелёные лампы, за окном медленно падал снег, и казалось, что до экзаменов ещё целая вечность. Девушка у окна переписывала формулы в тетрадь, время от времени поднимая глаза на часы. Ровно в половине девятого сторож кашлянул, извинился и начал выключать свет.',
  },
  {
    name: 'Ukrainian',
    text: 'На городі вже доспіли помідори, і бабуся щоранку збирала їх у великий кошик. Сусіди заходили по черзі: хто по розсаду, хто по пораду, а хто просто посидіти на лавці під вишнею. Увечері приїхав дядько з міста, привіз дітям цукерки й довго розповідав, як у столиці знову ремонтують міст.',
  },
  {
    name: 'Greek',
    text: 'Το καφενείο στην πλατεία άνοιγε πριν ακόμα ξημερώσει, για να πίνουν καφέ οι ψαράδες που γύριζαν από τη θάλασσα. Ο ιδιοκτήτης ήξερε όλους τους πελάτες με το όνομά τους και θυμόταν πόση ζάχαρη ήθελε ο καθένας. Όταν κάποιος έλειπε, οι υπόλοιποι ανησυχούσαν και έστελναν ένα παιδί να χτυπήσει την πόρτα του.',
  },
  {
    name: 'Arabic',
    text: 'وصل القطار متأخرا ساعة كاملة، لكن أحدا لم يغضب. كان الأطفال يلعبون بين الحقائب، وكانت امرأة عجوز توزع التمر على الجالسين كأنهم ضيوف في بيتها. قال الموظف إن العاصفة أغلقت الطريق القديم، وإن السائق اضطر إلى الانتظار حتى تهدأ الرياح. ضحك رجل في آخر الرصيف وقال: من ينتظر صديقا لا يحسب الدقائق.',
  },
  {
    name: 'Hebrew',
    text: 'בבוקר יום שישי השוק היה מלא עוד לפני שמונה. המוכרים קראו זה לזה מעל ערימות העגבניות, וריח הלחם הטרי הגיע עד תחנת האוטובוס. סבתא שלי ידעה בדיוק אצל מי קונים זיתים ואצל מי רק אומרים שלום. היא התמקחה בסבלנות, שילמה במטבעות קטנים, ותמיד יצאה עם שקית אחת יותר ממה שתכננה.',
  },
  {
    name: 'Hindi',
    text: 'गाँव के पुराने बरगद के नीचे हर शाम लोग इकट्ठा होते थे। कोई दिन भर की खबर सुनाता, कोई अपने बच्चों की पढ़ाई की चिंता करता। डाकिया साइकिल टिकाकर पानी पीता और सबके पत्र बाँट देता। उस दिन उसके थैले में एक ऐसा लिफाफा था जिस पर किसी का नाम नहीं लिखा था, और सब उसे खोलने के लिए उत्सुक थे।',
  },
  {
    name: 'Bengali and Tamil',
    text: 'নদীর ধারে ছোট একটি স্কুল ছিল, যেখানে বর্ষাকালে নৌকা করে যেতে হতো। শিক্ষক প্রতিদিন সকালে ঘণ্টা বাজাতেন।\nகடற்கரையில் சிறுவர்கள் பட்டம் விட்டுக்கொண்டிருந்தார்கள். காற்று திடீரென்று நின்றதும் எல்லோரும் சிரித்தார்கள்.',
  },
  {
    name: 'Thai',
    text: 'ตลาดเช้าริมคลองเปิดตั้งแต่ตีห้า แม่ค้าพายเรือเอาผักและผลไม้มาวางขายจนเต็มท่าน้ำ นักท่องเที่ยวชอบมาถ่ายรูปก่อนพระอาทิตย์ขึ้น แต่คนในหมู่บ้านมาเพราะอยากกินโจ๊กร้อน ๆ ของป้าสมศรีที่ขายมานานกว่าสามสิบปี',
  },
  {
    name: 'Chinese',
    text: '老城区的书店在一条很窄的巷子里,门口种着两棵桂花树。店主姓陈,年轻时做过海员,退休以后把积蓄都换成了旧书。每到周末,附近的学生会来这里写作业,他就泡一壶茶,坐在柜台后面听收音机。有人问他生意好不好,他总是笑着说:“书卖得慢,日子过得也慢,这样正好。”今年秋天,隔壁的咖啡馆搬走了,巷子又安静下来。',
  },
  {
    name: 'Chinese traditional',
    text: '颱風過後的第二天,村民們一早就到海邊清理漂流木。孩子們撿到許多奇怪的東西:一隻紅色的橡膠手套、半個浮標,還有一個寫滿外國文字的木箱。里長說,木箱應該交給警察局,可是大家都想先打開看看裡面裝了什麼。',
  },
  {
    name: 'Japanese',
    text: '駅前の喫茶店は、朝の七時に店を開ける。常連の客は新聞を片手にやって来て、いつもの席に座り、何も言わなくてもコーヒーが出てくるのを待っている。窓の外では、自転車に乗った高校生たちが信号を待ちながら笑い合っていた。昨日の雨で濡れたアスファルトが光り、どこかの家からピアノの練習が聞こえてくる。',
  },
  {
    name: 'Korean',
    text: '할머니는 장날마다 새벽 버스를 타고 읍내로 나가셨다. 직접 기른 고추와 마늘을 보자기에 싸서 팔고, 돌아오는 길에는 꼭 손주들 줄 과자를 사 오셨다. 비가 오는 날이면 정류장에 우산을 들고 마중을 나갔는데, 버스 문이 열리면 할머니 냄새가 먼저 내렸다. 이제는 그 버스도 다니지 않는다.',
  },
  {
    name: 'emoji',
    text: 'Launch day!! 🚀🚀🎉 Thanks everyone ❤️🙏 the demo went great 👩‍💻👨‍👩‍👧‍👦 and the coffee was terrible ☕️😅 next stop: 🇯🇵🇧🇷🇿🇦 see you there 👋🏽🫶🏿 ✅ done ❌ not done ⚠️ careful 🧪🪄🦥',
  },
  {
    name: 'JSON, pretty',
    text: JSON.stringify(order(), null, 2),
  },
  {
    name: 'JSON, compact',
    text: JSON.stringify(order()),
  },
  {
    name: 'JSON tool result',
    text: JSON.stringify(toolResult()),
  },
  {
    name: 'tool schema',
    text: '{"type":"function","function":{"name":"search_flights","description":"Search for available flights between two airports on a given date.","parameters":{"type":"object","properties":{"origin":{"type":"string","description":"IATA code of the departure airport"},"destination":{"type":"string","description":"IATA code of the arrival airport"},"departureDate":{"type":"string","format":"date"},"passengers":{"type":"integer","minimum":1,"maximum":9},"cabin":{"enum":["economy","premium_economy","business","first"]}},"required":["origin","destination","departureDate"],"additionalProperties":false}}}',
  },
  {
    name: 'TypeScript',
    text: "export async function retry<T>(attempt: () => Promise<T>, { times = 3, delayMs = 250 } = {}): Promise<T> {\n  let lastError: unknown;\n  for (let index = 0; index < times; index++) {\n    try {\n      return await attempt();\n    } catch (error) {\n      lastError = error;\n      if (!isTransient(error)) break; // a 4xx will not get better\n      await sleep(delayMs * 2 ** index);\n    }\n  }\n  throw new Error('gave up', { cause: lastError });\n}\n\nconst isTransient = (error: unknown): boolean =>\n  error instanceof HttpError && (error.status === 429 || error.status >= 500);\n",
  },
  {
    name: 'Python',
    text: 'from dataclasses import dataclass, field\n\n@dataclass(frozen=True)\nclass Interval:\n    start: float\n    end: float\n    labels: list[str] = field(default_factory=list)\n\n    def overlaps(self, other: "Interval") -> bool:\n        return self.start < other.end and other.start < self.end\n\n\ndef merge(intervals):\n    """Merge overlapping intervals; O(n log n)."""\n    result = []\n    for item in sorted(intervals, key=lambda i: i.start):\n        if result and result[-1].overlaps(item):\n            previous = result.pop()\n            item = Interval(previous.start, max(previous.end, item.end), previous.labels + item.labels)\n        result.append(item)\n    return result\n',
  },
  {
    name: 'SQL',
    text: "WITH ranked AS (\n  SELECT o.customer_id, o.total_cents, o.created_at,\n         ROW_NUMBER() OVER (PARTITION BY o.customer_id ORDER BY o.created_at DESC) AS rn\n  FROM orders AS o\n  WHERE o.status IN ('paid', 'shipped') AND o.created_at >= NOW() - INTERVAL '90 days'\n)\nSELECT c.email, COUNT(*) AS order_count, SUM(r.total_cents) / 100.0 AS revenue\nFROM ranked r JOIN customers c ON c.id = r.customer_id\nWHERE r.rn <= 10\nGROUP BY c.email\nHAVING SUM(r.total_cents) > 50000\nORDER BY revenue DESC LIMIT 25;\n",
  },
  {
    name: 'minified JavaScript',
    text: 'var t=function(e,n){for(var r=0,i=e.length;r<i;r++)if(!n(e[r],r))return!1;return!0},o=Object.keys,u=e=>null!=e&&"object"==typeof e;export const c=(e,n)=>{if(e===n)return!0;if(!u(e)||!u(n))return!1;const r=o(e),i=o(n);return r.length===i.length&&t(r,t=>i.includes(t)&&c(e[t],n[t]))};function a(e){return e&&e.__esModule?e.default:e}window.__q=(window.__q||[]).concat([[a,c,1e3,.5,"x-y"]]);',
  },
  {
    name: 'Markdown table',
    text: '## Results by region\n\n| Region        | Orders | Revenue (EUR) | Change |\n|---------------|-------:|--------------:|-------:|\n| North America |  1,204 |     88,310.50 |  +4.2% |\n| Europe        |    987 |     71,225.00 |  -1.8% |\n| Asia-Pacific  |    655 |     43,902.75 | +12.6% |\n| Other         |     71 |      2,118.20 |   0.0% |\n\n- **Best week:** 2031-W14\n- *Worst week:* 2031-W02 (see [notes](#notes))\n',
  },
  {
    name: 'Markdown answer',
    text: "# How to restore a backup\n\n1. **Stop the service** so that nothing writes while you copy:\n   ```sh\n   sudo systemctl stop inventory\n   ```\n2. Unpack the newest archive into an *empty* directory. Don't overwrite the old one yet.\n3. Run `inventory check --all` and read its report:\n   - `ok`: continue with step 4\n   - `damaged`: go back to an older archive\n\n> Note: a restore never deletes the archive itself.\n",
  },
  {
    name: 'URLs',
    text: 'https://shop.example.com/de/products/4711?variant=blue-xl&utm_source=newsletter&utm_campaign=spring_2031\nhttps://api.example.org/v2/users/me/repositories?page=3&per_page=100&sort=updated#readme\nhttp://192.168.0.17:8080/metrics\nwss://stream.example.net/ws?token=eyJhbGciOiJub25lIn0.e30.\nfile:///home/alex/projects/minutes/README.md\nmailto:press@example.com?subject=Hello%20there%21\n',
  },
  {
    name: 'logs',
    text: '2031-04-07T08:15:42.118Z INFO  [http] GET /api/v1/items/8841 200 13ms rid=7f3a9c\n2031-04-07T08:15:42.377Z WARN  [pool] 3 of 20 connections idle for 60000ms, closing\n2031-04-07T08:15:43.902Z ERROR [worker-2] Job 55120 failed after 3 attempts: ECONNRESET\n    at Socket.<anonymous> (/srv/app/dist/queue.js:214:17)\n    at emitErrorNT (node:internal/streams/destroy:170:8)\nApr  7 08:15:44 web-01 sshd[20417]: Accepted publickey for deploy from 10.0.3.9 port 51122 ssh2\n',
  },
  {
    name: 'CSV of numbers',
    text: 'id,timestamp,temperature,pressure,status\n1,1932886400,21.47,1013.25,OK\n2,1932886460,21.52,1013.19,OK\n3,1932886520,-4.80,1012.97,FAIL\n4,1932886580,21.61,1012.95,OK\n5,1932886640,1e-7,0.00001,OK\n6,1932886700,99999.99,1000000,OK\n',
  },
  {
    name: 'hex and UUIDs',
    text: hexLines(),
  },
  {
    name: 'base64',
    text: fromAlphabet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 600, 3),
  },
  {
    name: 'binary as text',
    text: randomUnits(400, 256, 5),
  },
  {
    name: 'random Unicode',
    text: randomUnits(300, 0xd800, 7),
  },
  {
    name: 'white space and rules',
    text: `Title\n=====\n\n\n${' '.repeat(40)}indented\n\t\t\ttabs\r\n\r\n${'-'.repeat(72)}\n* * *\n${'_'.repeat(30)}\n${'.'.repeat(50)} 12\n${'#'.repeat(20)}\n        \n    \n`,
  },
  {
    name: 'symbols',
    text: '∀x ∈ ℝ: x² ≥ 0 ∧ √(a²+b²) ≤ |a|+|b| → “yes” — ‘maybe’ … • one · two § 5 ¶ ½ °C €10 £5 ¥700 © 2031 ™ ± × ÷ ≈ ≠ ∞\n┌────────┬───────┐\n│ name   │ count │\n├────────┼───────┤\n│ pears  │    12 │\n└────────┴───────┘\n█████░░░ 62% ←↑→↓ ★★★☆☆\n',
  },
]

/** A deterministic pseudo-random sequence of integers below 2 ** 31 (a linear congruential generator). */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >>> 8) ^ ((state & 0xff) << 16)
  }
}

function fromAlphabet(alphabet: string, length: number, seed: number): string {
  const next = generator(seed)
  let text = ''
  for (let index = 0; index < length; index++) text += alphabet.charAt(next() % alphabet.length)
  return text
}

function randomUnits(length: number, below: number, seed: number): string {
  const next = generator(seed)
  let text = ''
  for (let index = 0; index < length; index++) text += String.fromCharCode(next() % below)
  return text
}

function uuid(seed: number): string {
  const hex = fromAlphabet('0123456789abcdef', 32, seed)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function hexLines(): string {
  const lines = []
  for (let seed = 11; seed < 17; seed++) {
    lines.push(`${uuid(seed)} ${fromAlphabet('0123456789abcdef', 40, seed * 7)}`)
  }
  return lines.join('\n')
}

function order(): unknown {
  return {
    orderId: 'ORD-2031-00417',
    customer: { name: 'Lena Hofmann', email: 'lena@example.com', vip: false, notes: null },
    items: [
      { sku: 'TEA-GRN-250', title: 'Green tea, loose', quantity: 2, unitPrice: 8.9, tags: ['organic', 'tea'] },
      { sku: 'MUG-BLU-01', title: 'Blue mug', quantity: 1, unitPrice: 14.5, tags: [] },
    ],
    shipping: { method: 'standard', address: { street: 'Gartenweg 7', city: 'Kiel', zip: '24103', country: 'DE' } },
    total: 32.3,
    currency: 'EUR',
  }
}

function toolResult(): unknown {
  return {
    status: 'ok',
    count: 3,
    rows: [21, 22, 23].map((seed) => ({
      id: uuid(seed),
      sha256: fromAlphabet('0123456789abcdef', 64, seed * 3),
      createdAt: `2031-04-0${seed - 20}T1${seed - 20}:42:0${seed - 18}.118Z`,
      size: seed * 104729,
      path: `/var/data/tenant-${seed}/blob_${seed * 17}.bin`,
      preview: fromAlphabet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 48, seed) + '==',
    })),
  }
}
