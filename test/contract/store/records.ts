import { initialDefaults, initialFeedbackSettings } from '../../../src/domain/tenant.ts';
import type {
  AdminLinkRecord,
  AdminRecord,
  AdminSessionRecord,
  ApiKeyRecord,
  AuditEntry,
  FeedbackRecord,
  SecretRecord,
  SharedAnswer,
  ShelfRecord,
  TenantRecord,
} from '../../../src/ports/store/store.ts';

/** An instant so many minutes after one fixed moment, which is not a whole second. */
export const at = (minutes: number): Date => new Date(Date.UTC(2026, 2, 1, 10, 0, 0, 123) + minutes * 60_000);

/** The millisecond before. */
export const justBefore = (instant: Date): Date => new Date(instant.getTime() - 1);

/** What a store may take for a command, cut off or change on the way. */
export const awkwardText = `Robert'); DROP TABLE tenants; -- "quoted" \`ticks\` $where {"$gt":""} 100% _ .* \\ \t\r\n é e\u0301 ﬁ 漢字 🐍 `;

export const longText = 'long text – '.repeat(2_000).slice(0, 20_000);

export const tenant = (id: string, changes: Partial<TenantRecord> = {}): TenantRecord => ({
  id,
  name: `Tenant ${id}`,
  status: 'active',
  upstream: { kind: 'local' },
  defaults: initialDefaults,
  branding: { title: null, accent: null },
  suggestions: 'approval',
  requiresSecondFactor: false,
  hasAssistants: true,
  feedback: initialFeedbackSettings,
  createdAt: at(0),
  updatedAt: at(1),
  version: 1,
  ...changes,
});

export const secret = (tenantId: string, name: string, changes: Partial<SecretRecord> = {}): SecretRecord => ({
  tenantId,
  name,
  boundTo: 'https://api.example.org',
  sealed: `v1.key1.${tenantId}.${name}`,
  lastFour: 'wxyz',
  updatedAt: at(0),
  ...changes,
});

export const apiKey = (id: string, changes: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id,
  tenantId: 'lyon',
  name: `Key ${id}`,
  keyHash: `hash of ${id}`,
  scopes: ['competency', 'learning-objects', 'feedback'],
  perSecond: 20,
  perDay: 50_000,
  createdAt: at(0),
  expiresAt: at(1_000),
  revokedAt: null,
  replacedAt: null,
  lastUsedAt: null,
  ...changes,
});

export const feedback = (id: string, changes: Partial<FeedbackRecord> = {}): FeedbackRecord => ({
  id,
  tenantId: 'lyon',
  url: `https://example.org/${id}?a=1&b=é`,
  comment: 'Helpful',
  requestId: `request of ${id}`,
  email: 'ada@example.org',
  source: 'https://school.example.org',
  provider: 'openlearn',
  receivedAt: at(0),
  state: 'delivered',
  attempts: 0,
  failures: 0,
  dueAt: at(0),
  leasedUntil: null,
  lastError: null,
  destination: null,
  giverHash: null,
  ...changes,
});

export const auditEntry = (id: string, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: at(0),
  actor: { kind: 'admin', id: 'ada', name: 'Ada', address: '192.0.2.7' },
  tenantId: 'lyon',
  action: 'tenant.changed',
  target: 'Lyon',
  details: { name: 'Lyon → Lyon 2' },
  ...changes,
});

export const admin = (id: string, changes: Partial<AdminRecord> = {}): AdminRecord => ({
  id,
  name: `Name of ${id}`,
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  secondFactor: null,
  roleClaim: null,
  oidcSubject: null,
  role: 'manager',
  tenants: ['lyon'],
  createdAt: at(0),
  lastSignInAt: null,
  sessionsValidFrom: at(0),
  version: 1,
  ...changes,
});

export const adminLink = (id: string, changes: Partial<AdminLinkRecord> = {}): AdminLinkRecord => ({
  id,
  kind: 'invitation',
  adminId: null,
  role: 'manager',
  tenants: ['lyon'],
  createdBy: 'Ada',
  createdById: 'ada',
  createdAt: at(0),
  expiresAt: at(60),
  ...changes,
});

export const adminSession = (id: string, changes: Partial<AdminSessionRecord> = {}): AdminSessionRecord => ({
  id,
  adminId: 'ada',
  createdAt: at(0),
  lastSeenAt: at(1),
  expiresAt: at(60),
  address: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  ...changes,
});

export const shelved = (address: string, changes: Partial<ShelfRecord> = {}): ShelfRecord => ({
  tenantId: 'lyon',
  person: 'slack:T1:U1',
  address,
  object: {
    title: 'Title',
    url: `https://${address}`,
    bloom: [],
    type: ['video'],
    publisher: [],
    author: [],
  },
  requestId: 'request',
  savedAt: at(0),
  ...changes,
});

export const answer = (text: string, changes: Partial<SharedAnswer> = {}): SharedAnswer => ({
  text,
  answeredAt: at(0),
  expiresAt: at(10),
  ...changes,
});
