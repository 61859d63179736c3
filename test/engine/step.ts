import fc from 'fast-check';
import type { ModelPartner, World } from './world.js';

export type Command = fc.AsyncCommand<World, World>;
/** @returns the partners whose figures may have changed; null: possibly all */
type Work = (world: World) => Promise<readonly ModelPartner[] | null>;

/** A step of the model: an operation, and every invariant afterwards. */
class Step implements Command {
  constructor(
    private readonly name: string,
    private readonly given: unknown,
    private readonly work: Work,
    private readonly possible: (world: World) => boolean,
  ) {}

  check = (world: Readonly<World>): boolean => this.possible(world as World);

  async run(world: World): Promise<void> {
    // Some milliseconds pass: the entries of a step are dated at one moment, or a millisecond after each other.
    await world.reachHour();
    world.engine.wait(10);
    const acted = await this.work(world);
    // An executor looks at its orders after hours.
    if (acted === null) await world.execute();
    await world.check(acted);
  }

  toString(): string {
    const given = JSON.stringify(this.given, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    return `${this.name} ${given}`;
  }
}

/** Commands with a name, generated from their arguments. */
export const step = <Given>(
  name: string,
  given: fc.Arbitrary<Given>,
  work: (world: World, given: Given) => ReturnType<Work>,
  possible: (world: World, given: Given) => boolean = () => true,
): fc.Arbitrary<Command> =>
  given.map(
    (values) =>
      new Step(
        name,
        values,
        (world) => work(world, values),
        (world) => possible(world, values),
      ),
  );

/** 1e9 units. */
export const MAX_SUM = 10n ** 15n;
export const hasPosition = (world: World): boolean => world.positions.length > 0;
/** An index that selects one of the existing items. */
export const pick = fc.nat({ max: 30 });
export const asset = fc.constantFrom('USDC', 'USDT0');
export const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 20n }),
  fc.bigInt({ min: 1n, max: 10n ** 13n }),
  fc.bigInt({ min: 1n, max: MAX_SUM }),
);
/** Millionths of a value. */
export const part = fc.oneof(fc.constant(1_000_000n), fc.bigInt({ min: 1n, max: 1_000_000n }));
