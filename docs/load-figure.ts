import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const Second = z.object({ requests: z.number(), p50Ms: z.number(), p99Ms: z.number(), residentMb: z.number() });
const Phase = z.object({ requests: z.number(), p50Ms: z.number(), p99Ms: z.number(), series: z.array(Second) });

const Report = z.object({
  date: z.string(),
  machine: z.string(),
  clients: z.number(),
  seconds: z.number(),
  unexpected: z.number(),
  attackers: z.number(),
  calm: Phase,
  attacked: Phase,
  statuses: z.record(z.string(), z.number()),
});

/** bench/results/load.json as a table with its conditions. */
export function loadTable(json: string): string {
  const { calm, attacked, ...run } = Report.parse(JSON.parse(json));
  const row = (name: string, { requests, p50Ms, p99Ms, series }: z.infer<typeof Phase>) => [
    name,
    requests.toLocaleString('en'),
    ...[p50Ms, p99Ms, Math.max(...series.map(({ residentMb }) => residentMb))],
  ];
  return [
    table(
      ['', 'Requests', 'p50 ms', 'p99 ms', 'Memory at most, MB'],
      [row(`${run.clients} clients`, calm), row(`and ${run.attackers} sockets that hold half a request`, attacked)],
    ),
    '',
    `${run.seconds} s each; ${run.date}, ${run.machine}, load and server on the same machine.`,
    `Answers other than 200: ${run.unexpected} of ${sum(run.statuses).toLocaleString('en')}.`,
  ].join('\n');
}

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, count) => all + count, 0);

const WIDTH = 600;
const LEFT = 50;

interface Curve {
  readonly name: string;
  readonly values: readonly number[];
  readonly colour: string;
}

interface Panel {
  readonly top: number;
  readonly height: number;
  readonly unit: string;
  readonly curves: readonly Curve[];
}

/** The curves of bench/results/load.json: latencies above, memory below, the second phase shaded. */
export function loadSvg(json: string): string {
  const { calm, attacked, ...run } = Report.parse(JSON.parse(json));
  const series = [...calm.series, ...attacked.series];
  const values = (name: keyof z.infer<typeof Second>) => series.map(second => second[name]);
  const shade = `<rect x="${LEFT + (WIDTH * calm.series.length) / series.length}" y="20" width="${(WIDTH * attacked.series.length) / series.length}" height="290" fill="#eee"/>`;
  const panels: Panel[] = [
    {
      top: 20,
      height: 180,
      unit: 'ms',
      curves: [
        { name: 'p99', values: values('p99Ms'), colour: '#c60' },
        { name: 'p50', values: values('p50Ms'), colour: '#06c' },
      ],
    },
    { top: 230, height: 80, unit: 'MB', curves: [{ name: 'memory', values: values('residentMb'), colour: '#06c' }] },
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 60} 355" width="${LEFT + WIDTH + 60}" font-family="sans-serif" font-size="11" fill="#333">
<title>Latency and memory under ${run.clients} clients, from the middle on with ${run.attackers} sockets that hold half a request</title>
<rect width="100%" height="100%" fill="#fff"/>
${shade}
<text x="${LEFT + WIDTH / 4}" y="14" text-anchor="middle">${run.clients} clients</text>
<text x="${LEFT + (3 * WIDTH) / 4}" y="14" text-anchor="middle">and ${run.attackers} sockets that hold half a request</text>
${panels.map(panel).join('\n')}
${[0, 0.25, 0.5, 0.75, 1].map(share => `<text x="${LEFT + WIDTH * share}" y="326" text-anchor="middle">${Math.round(series.length * share)}</text>`).join('\n')}
<text x="${LEFT + WIDTH / 2}" y="345" text-anchor="middle">seconds</text>
</svg>
`;
}

function panel({ top, height, unit, curves }: Panel): string {
  const most = roundedUp(Math.max(...curves.flatMap(({ values }) => values)));
  const bottom = top + height;
  const ticks = [0, 0.5, 1].map(
    share => `<text x="${LEFT - 6}" y="${bottom - height * share + 4}" text-anchor="end">${most * share}</text>`,
  );
  const lines = curves.map(({ name, values, colour }) => {
    const x = (index: number) => (LEFT + (WIDTH * (index + 0.5)) / values.length).toFixed(1);
    const y = (value: number) => (bottom - (height * value) / most).toFixed(1);
    const points = values.map((value, index) => `${x(index)} ${y(value)}`);
    return `<path d="M${points.join('L')}" fill="none" stroke="${colour}"/><text x="${LEFT + WIDTH + 6}" y="${Number(y(values.at(-1) ?? 0)) + 4}" fill="${colour}">${name}</text>`;
  });
  return `<rect x="${LEFT}" y="${top}" width="${WIDTH}" height="${height}" fill="none" stroke="#999"/>
${ticks.join('\n')}
<text transform="translate(12 ${top + height / 2}) rotate(-90)" text-anchor="middle">${unit}</text>
${lines.join('\n')}`;
}

/** The end of an axis: 1, 2 or 5 times a power of ten. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map(step => step * power).find(end => end >= value) ?? value;
}
