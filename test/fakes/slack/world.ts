import type { Channel, SlackWorld } from '../../../demo/slack/world.ts';

export const enterprise = { id: 'E1WORLD', name: 'World University' };

export const teams = {
  acme: { id: 'T1ACME', name: 'Acme', domain: 'acme', enterpriseId: null },
  north: { id: 'T1NORTH', name: 'North Campus', domain: 'north', enterpriseId: enterprise.id },
  south: { id: 'T1SOUTH', name: 'South Campus', domain: 'south', enterpriseId: enterprise.id },
} as const;

export type Place = keyof typeof teams | 'world';

export const placeIdOf = (place: Place): string => (place === 'world' ? enterprise.id : teams[place].id);

/** `general` has the app, `random` has not, `secret` is private and has it not; `direct` is between two people. */
const channelsOf = (name: keyof typeof teams, memberIds: readonly string[]): Channel[] => {
  const of = (channel: string, kind: Channel['kind'], hasApp: boolean): Channel => ({
    id: `${kind === 'direct' ? 'D' : 'C'}1${name}${channel}`.toUpperCase(),
    teamId: teams[name].id,
    name: channel,
    kind,
    memberIds,
    hasApp,
  });
  return [
    of('general', 'public', true),
    of('random', 'public', false),
    of('secret', 'private', false),
    of('direct', 'direct', false),
  ];
};

export const world: SlackWorld = {
  organisations: [enterprise],
  teams: Object.values(teams),
  members: [
    { id: 'U1ADA', teamIds: [teams.acme.id], name: 'ada', realName: 'Ada Lovelace', locale: 'en-GB' },
    { id: 'U1BENOIT', teamIds: [teams.acme.id], name: 'benoit', realName: 'Benoît Mandel', locale: 'fr-FR' },
    {
      id: 'U1OLGA',
      teamIds: [teams.north.id, teams.south.id],
      name: 'olga',
      realName: 'Olga <b> & Søn',
      locale: 'en-US',
    },
  ],
  channels: [
    ...channelsOf('acme', ['U1ADA', 'U1BENOIT']),
    ...channelsOf('north', ['U1OLGA']),
    ...channelsOf('south', ['U1OLGA']),
  ],
};

/** The same with so many more people in `acme`. */
export const worldWith = (crowd: number): SlackWorld => ({
  ...world,
  members: [
    ...world.members,
    ...Array.from({ length: crowd }, (_, at) => ({
      id: crowdId(at),
      teamIds: [teams.acme.id],
      name: `person${at}`,
      realName: `Person ${at}`,
      locale: 'en-GB',
    })),
  ],
});

export const crowdId = (at: number): string => `U1CROWD${at}`;

/** Throws where there is none of the name. */
export function channelIdOf(teamId: string, name: string): string {
  const found = world.channels.find((channel) => channel.teamId === teamId && channel.name === name);
  if (found === undefined) throw new Error(`There is no channel ${name} in ${teamId}`);
  return found.id;
}
