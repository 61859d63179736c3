import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { Time, utcText } from '../format/time.js';
import { Nothing } from '../format/figures.js';
import { ScrollTable } from '../ui/table.js';
import { chartInk, COLOURS, useColours } from './colours.js';

export interface Series {
  name: string;
  /** A value for each time; null is a gap. */
  values: readonly (number | null)[];
  /** A dashed line, with which the others are compared. */
  reference?: boolean;
  filled?: boolean;
}

export interface LineChartProps {
  title: string;
  /** A sentence on what the chart shows, displayed below the title and read out by screen readers. */
  summary: string;
  /** Times in UTC, oldest first. */
  times: readonly string[];
  series: readonly Series[];
  /** Formats a value briefly for the axis, or exactly. */
  axis: (value: number) => string;
  /** @param index of its time */
  exact: (value: number, index: number) => ComponentChildren;
  /** A moment to mark. */
  mark?: { at: string; name: string };
  actions?: ComponentChildren;
  height?: number;
  /** Whether times of the table are days. */
  days?: boolean;
  /** `steps`: a value holds until the next time. `bars`: it is that of the time from then to the next one. Default: lines. */
  shape?: 'lines' | 'steps' | 'bars';
}

/** A chart of values over time, with a legend that shows the values under the pointer, and a table of the same data. */
export function LineChart(props: LineChartProps) {
  const { title, summary, times, series, exact, mark, actions, days = false } = props;
  const titleId = useId();
  const [index, setIndex] = useState<number | null>(null);
  // The table is rendered on demand: it has thousands of cells, which are rarely read.
  const [tabled, setTabled] = useState(false);
  const shown = index ?? lastKnown(series);
  return (
    <figure class="chart" aria-labelledby={titleId}>
      <figcaption>
        <div>
          <h2 id={titleId}>{title}</h2>
          <p>{summary}</p>
        </div>
        {actions}
      </figcaption>
      <ul class="legend">
        {series.map((line, at) => {
          const value = shown === null ? null : (line.values[shown] ?? null);
          return (
            <li key={line.name}>
              <span
                class={`swatch series-${(at % COLOURS) + 1}${line.reference ? ' broken' : ''}`}
                aria-hidden="true"
              />
              <span>{line.name}</span>
              <span class="legend-value">
                {value === null ? <Nothing why="no value" /> : exact(value, shown!)}
              </span>
            </li>
          );
        })}
        {shown !== null && times[shown] !== undefined && (
          <li class="legend-time">
            {utcText(times[shown], days)} UTC{index === null ? ', the newest' : ''}
          </li>
        )}
      </ul>
      <Plot {...props} onIndex={setIndex} />
      <details class="chart-table" onToggle={(event) => setTabled(event.currentTarget.open)}>
        <summary>
          Table<span class="heard">: {title}</span>
        </summary>
        {tabled && (
          <ScrollTable label={`${title}, table`}>
            <thead>
              <tr>
                <th scope="col">Time, UTC</th>
                {series.map(({ name }) => (
                  <th scope="col" class="number" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((at, row) => (
                <tr key={at}>
                  <th scope="row">
                    <Time at={at} day={days} />
                    {at === mark?.at && <span class="unit"> {mark.name}</span>}
                  </th>
                  {series.map(({ name, values }) => {
                    const value = values[row] ?? null;
                    return (
                      <td class="number" key={name}>
                        {value === null ? <Nothing why="no value" /> : exact(value, row)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        )}
      </details>
    </figure>
  );
}

function lastKnown(series: readonly Series[]): number | null {
  const last = Math.max(...series.map(({ values }) => values.findLastIndex((value) => value !== null)));
  return last < 0 ? null : last;
}

interface PlotProps extends LineChartProps {
  onIndex: (index: number | null) => void;
}

function Plot(props: PlotProps) {
  const { title, summary, times, series, axis, mark, height = 260, shape = 'lines', onIndex } = props;
  const container = useRef<HTMLDivElement>(null);
  const colours = useColours();
  const data = useMemo(
    () =>
      [
        times.map((at) => Date.parse(at) / 1000),
        ...series.map(({ values }) => [...values]),
      ] as uPlot.AlignedData,
    [times, series],
  );
  useEffect(() => {
    const element = container.current;
    if (!element || times.length === 0) return;
    const ink = chartInk(element);
    const options: uPlot.Options = {
      width: element.clientWidth,
      height,
      // Times are shown in UTC, whatever the browser's time zone is.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
      padding: [8, 24, 0, 8],
      scales: {
        y: { range: (_plot, low, high) => (shape === 'bars' ? fromZero(high) : roomy(low, high)) },
        ...(shape === 'bars' && { x: { range: throughLast } }),
      },
      series: [
        {},
        ...series.map(({ reference, filled }, at) => {
          const stroke = ink.series[at % ink.series.length] ?? ink.text;
          return {
            stroke,
            width: shape === 'bars' ? 0 : reference ? 1.25 : 1.75,
            points: { show: times.length < 3 && shape !== 'bars', fill: stroke, size: 5 },
            ...PATHS[shape](),
            ...(reference ? { dash: [5, 4] } : {}),
            ...(shape === 'bars' ? { fill: stroke } : filled ? { fill: `${stroke}1f` } : {}),
          };
        }),
      ],
      axes: [
        {
          stroke: ink.text,
          font: ink.font,
          grid: { show: false },
          values: timeTexts,
          ticks: { stroke: ink.line, size: 4 },
          size: 34,
        },
        {
          stroke: ink.text,
          font: ink.font,
          grid: { stroke: ink.line, width: 1 },
          ticks: { show: false },
          size: (_plot, values) => 16 + 7 * Math.max(3, ...(values ?? []).map((text) => text.length)),
          values: (_plot, ticks) => ticks.map(axis),
        },
      ],
      hooks: {
        setCursor: [({ cursor }) => onIndex(cursor.idx ?? null)],
        draw: [(plot) => mark && drawMark(plot, mark, ink)],
      },
    };
    const plot = new uPlot(options, data, element);
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, colours, height, mark?.at, shape]);
  if (times.length === 0) return null;
  return <div class="plot" role="img" aria-label={`${title}. ${summary}`} ref={container} />;
}

const PATHS = {
  lines: () => ({}),
  steps: () => ({ paths: uPlot.paths.stepped!({ align: 1 }) }),
  bars: () => ({ paths: uPlot.paths.bars!({ size: [0.8, 40], align: 1 }) }),
};

const DAY_TEXT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Labels such as `8 Dec`, or hours with the day below the first of each. */
function timeTexts(_plot: uPlot, ticks: number[], _axis: number, _space: number, step: number): string[] {
  let told = '';
  return ticks.map((seconds) => {
    const day = DAY_TEXT.format(seconds * 1000);
    if (step >= 86_400) return day;
    const hour = new Date(seconds * 1000).toISOString().slice(11, 16);
    const below = day === told ? '' : `\n${day}`;
    told = day;
    return hour + below;
  });
}

/** A range in which a line does not touch the edges, and a flat line is in the middle. */
function roomy(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const room = (high - low || Math.abs(high) || 1) * 0.08;
  return [low >= 0 && low - room < 0 ? 0 : low - room, high + room];
}

/** A range in which the last bar is as wide as the others. */
function throughLast({ data: [times] }: uPlot, low: number, high: number): [number, number] {
  return [low, high + (times[1] ?? 0) - (times[0] ?? 0)];
}

/** A range for counts: bars stand on zero. */
const fromZero = (high: number | null): [number, number] => [0, Math.max(1, (high ?? 0) * 1.08)];

function drawMark(
  plot: uPlot,
  { at, name }: { at: string; name: string },
  ink: ReturnType<typeof chartInk>,
): void {
  const x = plot.valToPos(Date.parse(at) / 1000, 'x', true);
  const { left, top, width, height } = plot.bbox;
  if (x < left || x > left + width) return;
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = ink.mark;
  ctx.fillStyle = ink.mark;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
  ctx.font = ink.font.replace(/^\d+/, (size) => String(Number(size) * devicePixelRatio));
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  ctx.fillText(name, x + 5 * devicePixelRatio, top + 2 * devicePixelRatio);
  ctx.restore();
}
