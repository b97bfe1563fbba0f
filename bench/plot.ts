/** A line of a chart: points in the units of the axes, both logarithmic. */
export interface Series {
  readonly name: string;
  /** One of the classes of STYLE. */
  readonly look: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Powers of ten: where the axes begin and end. */
  readonly x: readonly [from: number, to: number];
  readonly y: readonly [from: number, to: number];
  readonly panels: readonly Panel[];
}

const WIDTH = 360;
const HEIGHT = 250;
const LEFT = 52;
const TOP = 34;
const PLOT_WIDTH = WIDTH - LEFT - 32;
const PLOT_HEIGHT = HEIGHT - TOP - 44;
const HEAD = 64;

/** Read on light and on dark pages: the reader's own setting decides. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #222 }
  .title { font-size: 15px; font-weight: 600 }
  .panel { font-weight: 600 }
  .tick { font-size: 11px; fill: #555 }
  .page { fill: #fff }
  .grid { stroke: #ddd; stroke-width: 1 }
  polyline { fill: none; stroke-width: 2.5 }
  .far { stroke-dasharray: 5 4; stroke-width: 1.5 }
  .a { stroke: #0072b2 } .b { stroke: #d55e00 } .c { stroke: #007a5a }
  circle.a { fill: #0072b2 } circle.b { fill: #d55e00 } circle.c { fill: #007a5a }
  @media (prefers-color-scheme: dark) {
    text { fill: #eee } .tick { fill: #aaa } .page { fill: #161b22 } .grid { stroke: #3a3f46 }
    .a { stroke: #56b4e9 } .b { stroke: #ff9a4d } .c { stroke: #4fd1a5 }
    circle.a { fill: #56b4e9 } circle.b { fill: #ff9a4d } circle.c { fill: #4fd1a5 }
  }`;

/** Panels two by two, all on the same axes, with one legend: of the series that have a name. */
export function drawChart(chart: Chart): string {
  const height = HEAD + HEIGHT * Math.ceil(chart.panels.length / 2);
  const panels = chart.panels.map((panel, i) => {
    const place = `translate(${(i % 2) * WIDTH} ${HEAD + Math.floor(i / 2) * HEIGHT})`;
    return `<g transform="${place}">${drawPanel(panel, chart)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH} ${height}" role="img" aria-label="${escapeXml(chart.title)}">
<style>${STYLE}
</style>
<rect class="page" width="100%" height="100%"/>
<text class="title" x="16" y="26">${escapeXml(chart.title)}</text>
${drawLegend((chart.panels[0]?.series ?? []).filter(({ name }) => name !== ''))}
${panels.join('\n')}
</svg>
`;
}

function drawLegend(series: readonly Series[]): string {
  const width = (2 * WIDTH - 32) / series.length;
  return series
    .map(({ name, look }, i) => {
      const x = Math.round(16 + i * width);
      return `<polyline class="${look}" points="${x},46 ${x + 22},46"/><text x="${x + 28}" y="50">${escapeXml(name)}</text>`;
    })
    .join('');
}

function drawPanel({ title, series }: Panel, { x, y, xLabel, yLabel }: Chart): string {
  const scale = (value: number, [from, to]: readonly [number, number], length: number) =>
    ((Math.log10(value) - from) / (to - from)) * length;
  const at = (px: number, py: number) =>
    [LEFT + scale(px, x, PLOT_WIDTH), TOP + PLOT_HEIGHT - scale(py, y, PLOT_HEIGHT)].map(round) as [number, number];
  const bottom = TOP + PLOT_HEIGHT;
  const rows = powers(y).map((value) => {
    const [, top] = at(10 ** x[0], value);
    return `<path class="grid" d="M${LEFT} ${top}h${PLOT_WIDTH}"/><text class="tick" x="${LEFT - 6}" y="${top + 4}" text-anchor="end">${label(value)}</text>`;
  });
  const columns = powers(x).map((value) => {
    const [left] = at(value, 10 ** y[0]);
    return `<path class="grid" d="M${left} ${TOP}v${PLOT_HEIGHT}"/><text class="tick" x="${left}" y="${bottom + 16}" text-anchor="middle">${label(value)}</text>`;
  });
  const lines = series.map(({ look, points }) => {
    const places = points.map(([px, py]) => at(px, py));
    const dots = look.includes('far')
      ? []
      : places.map(([cx, cy]) => `<circle class="${look}" cx="${cx}" cy="${cy}" r="3"/>`);
    return `<polyline class="${look}" points="${places.map((place) => place.join(',')).join(' ')}"/>${dots.join('')}`;
  });
  return [
    `<text class="panel" x="${LEFT}" y="${TOP - 10}">${escapeXml(title)}</text>`,
    ...rows,
    ...columns,
    `<text class="tick" x="${LEFT + PLOT_WIDTH / 2}" y="${bottom + 32}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
    `<text class="tick" transform="translate(12 ${TOP + PLOT_HEIGHT / 2}) rotate(-90)" text-anchor="middle">${escapeXml(yLabel)}</text>`,
    ...lines,
  ].join('');
}

function powers([from, to]: readonly [number, number]): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
}

function label(value: number): string {
  return value < 1 ? String(Number(value.toPrecision(1))) : value.toLocaleString('en');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
