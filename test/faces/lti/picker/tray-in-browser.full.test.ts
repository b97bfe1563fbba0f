/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../../../helpers/browser.ts';
import { expectGoodLooks, sizes } from '../../../helpers/looks.ts';
import { settings } from './choose.ts';
import { type PickerHost, press, said, searchFor, startPicker, titlesOf } from './open-picker.ts';

describe.skipIf(!hasBrowser())('the tray in a browser', () => {
  let browser: Browser;
  let host: PickerHost;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
    host = await startPicker();
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  afterEach(() => page?.close());

  const addButton = (title: string) => page.locator(`#results [data-title="${title}"] [data-add]`);
  /** Opens the settings of a row. */
  const openSettings = (row = 0) => page.locator('#tray .tray-item .tray-more summary').nth(row).click();
  const leave = async (how: () => Promise<void>) => {
    await Promise.all([page.waitForURL('**/return'), how()]);
    return host.received.at(-1)!;
  };

  test('adds three objects, ordered and graded, by keyboard alone', async () => {
    page = await host.open(browser, { product: 'moodle' });
    await page.focus('#q');
    await page.keyboard.type('Python');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#results [data-add]');
    for (const letter of ['a', 'b', 'c']) {
      await addButton(`Python ${letter}`).focus();
      await page.keyboard.press('Space');
    }
    expect(await said(page)).toBe('Added: Python c. Selected: 3.');
    expect(await addButton('Python b').getAttribute('aria-pressed')).toBe('true');
    await page.focus('#tray-toggle');
    await page.keyboard.press('Enter');
    expect(await page.getAttribute('#tray-toggle', 'aria-expanded')).toBe('true');

    // To the title of the first, in whose row everything is reached from there.
    await page.locator('#tray [data-field=title]').first().focus();
    await press(page, 'Alt+ArrowDown', 2);
    expect(await titlesOf(page)).toEqual(['Python b', 'Python c', 'Python a']);
    expect(await said(page)).toBe('Python a: position 3 of 3.');
    await page.keyboard.press('Alt+ArrowDown');
    expect(await said(page)).toBe('Python a: still at position 3 of 3.');
    await page.keyboard.press('End');
    await page.keyboard.type(' first');
    // Enter sends nothing in the middle of typing.
    await page.keyboard.press('Enter');
    // Its points, in its settings.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type('25');
    await page.focus('[data-tray-choose]');
    const items = await leave(() => page.keyboard.press('Enter'));
    expect(items.map(({ title }) => title)).toEqual(['Python b', 'Python c', 'Python a first']);
    expect(items.map(({ lineItem }) => (lineItem as { scoreMaximum: number } | undefined)?.scoreMaximum)).toEqual([
      undefined,
      undefined,
      25,
    ]);
    expect(items[0]).toHaveProperty('iframe');
  });

  test('keeps the grades of an existing activity of Moodle', async () => {
    const course = { product: 'moodle' as const, context: { id: 'graded course', label: null, title: null } };
    page = await host.open(browser, course);
    await searchFor(page, 'Python');
    await addButton('Python a').click();
    await page.click('#tray-toggle');
    await openSettings();
    await page.locator('#tray [data-field=graded]').check();
    await page.locator('#tray [data-field=points]').fill('25');
    await leave(() => page.click('[data-tray-choose]'));
    await page.close();

    page = await host.open(browser, { ...course, deepLinking: { ...settings, title: 'Python a' } });
    const loss = page.locator('[data-tray-loss]');
    expect(await titlesOf(page)).toEqual(['Python a']);
    expect(await loss.isVisible()).toBe(false);
    await searchFor(page, 'Python');
    const marked = page.locator('#results .in-course');
    expect(await marked.count()).toBe(1);
    expect(await page.locator('[data-in-course]').getAttribute('data-title')).toBe('Python a');
    await addButton('Python b').click();
    expect(await titlesOf(page)).toEqual(['Python b']);
    if (!(await page.locator('#tray-panel').isVisible())) await page.click('#tray-toggle');
    expect(await page.locator('#tray [data-field=points]').inputValue()).toBe('25');
    await openSettings();
    await page.locator('#tray [data-field=graded]').uncheck();
    expect(await loss.textContent()).toContain('Moodle deletes its gradebook column');
    await expectGoodLooks(page);
    await page.locator('#tray [data-field=graded]').check();
    await page.keyboard.press('Escape');
    expect(await loss.isVisible()).toBe(false);
    // Also where it was taken out first.
    await page.click('#tray [data-remove]');
    await addButton('Python c').click();
    const items = await leave(() => page.click('[data-tray-choose]'));
    expect(items).toMatchObject([{ title: 'Python c', lineItem: { scoreMaximum: 25 } }]);
  });

  test('keeps a selection after the launch, until it is returned', async () => {
    const course = { context: { id: 'course of Go', label: null, title: null } };
    const goTo = async (more: Parameters<typeof host.launchToken>[0]) => {
      const deepLinking = { ...settings, returnUrl: host.returnUrl };
      const launch = await host.launchToken({ ...more, deepLinking });
      await page.goto(`${host.url}/lti/picker?${new URLSearchParams({ launch })}`);
    };
    page = await host.open(browser, course);
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await addButton('Go b').click();
    await page.click('#tray-toggle');
    await page.locator('#tray [data-field=title]').first().fill('Gone');
    await openSettings();
    await page.locator('#tray [data-field=target]').first().selectOption('window');
    await page.locator('#tray [data-field=availableFrom]').first().fill('2026-09-01T08:00');
    await goTo({ context: { id: 'another course', label: null, title: null } });
    expect(await titlesOf(page)).toEqual([]);
    await goTo(course);
    expect(await titlesOf(page)).toEqual(['Gone', 'Go b']);
    await searchFor(page, 'Go');
    expect(await addButton('Go b').getAttribute('aria-pressed')).toBe('true');
    const items = await leave(() => page.click('[data-tray-choose]'));
    expect(items[0]).toHaveProperty('window');
    const begin = await page.evaluate(() => new Date('2026-09-01T08:00').toISOString());
    expect(items[0]?.available).toEqual({ startDateTime: begin });

    // The platform may not have received it.
    await goTo(course);
    expect(await titlesOf(page)).toEqual([]);
    await page.click('[data-select-again]');
    expect(await titlesOf(page)).toEqual(['Gone', 'Go b']);
    await page.click('#tray-toggle');
    await expectGoodLooks(page);
    await leave(() => page.click('[data-tray-choose]'));
    const { services, registration } = host;
    const key = { tenantId: registration.tenantId, registrationId: registration.id, contextId: course.context.id };
    const [placement] = await services.store.placements.listPlacementsOfContext(key, 1);
    const resourceLink = { id: 'arrived', title: null, description: null };
    const opened = { ...course, resourceLink, custom: { placement: placement!.id }, deepLinking: null };
    await host.services.placements.openLink(
      await host.deps.launches.getLaunch(await host.launchToken(opened), 'resource-link'),
    );
    await goTo(course);
    expect(await page.locator('[data-select-again]').isVisible()).toBe(false);
  });

  test('keeps a selection after a reload where the browser blocks storage', async () => {
    page = await host.open(browser, { context: { id: 'blocked', label: null, title: null } });
    // What Chromium does in a frame of another site with all cookies of third parties blocked.
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    });
    await page.reload();
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await addButton('Go b').click();
    await page.click('#tray-toggle');
    await page.locator('#tray [data-field=title]').first().fill('Gone, “quoted” & é');
    // A link within the page makes an entry of its own.
    await page.evaluate(() => location.assign('#tray'));
    for (let reloads = 0; reloads < 2; reloads++) {
      await page.reload();
      await page.waitForSelector('#results .card');
      expect(await titlesOf(page)).toEqual(['Gone, “quoted” & é', 'Go b']);
    }
    expect(page.url()).not.toMatch(/launch=|kept=/);
    // Nor is it lost when the host refuses it.
    await page.locator('#tray').evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
    await page.click('#tray-toggle');
    await page.locator('#tray [data-field=title]').nth(1).fill(' ');
    await page.click('[data-tray-choose]');
    await page.click('a.button');
    await page.waitForSelector('#tray li', { state: 'attached' });
    await page.click('#tray-toggle');
    const kept = page.waitForResponse('**/lti/picker/kept');
    await page.locator('#tray [data-field=title]').nth(1).fill('Go b');
    await kept;
    // Nor where the dialog is closed, and opened again; nobody else sees it.
    const blocked = { context: { id: 'blocked', label: null, title: null } };
    const again = await host.open(browser, blocked);
    expect(await titlesOf(again)).toEqual(['Gone, “quoted” & é', 'Go b']);
    await again.close();
    const colleague = { ...blocked, user: { id: 'colleague', name: null, email: null } };
    const other = await host.open(browser, colleague);
    expect(await titlesOf(other)).toEqual([]);
    await other.close();
    const items = await leave(() => page.click('[data-tray-choose]'));
    expect(items).toHaveLength(2);
    const sent = await host.open(browser, blocked);
    expect(await titlesOf(sent)).toEqual([]);
    await sent.click('[data-select-again]');
    expect(await titlesOf(sent)).toHaveLength(2);
    await sent.close();
  });

  test('forgets a selection after some hours', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((name) => name.startsWith('skilldock-tray-'))!;
      const kept = JSON.parse(sessionStorage.getItem(key)!);
      sessionStorage.setItem(key, JSON.stringify({ ...kept, savedAt: kept.savedAt - 8 * 3_600_000 }));
    });
    await page.reload();
    await page.waitForSelector('#tray');
    expect(await titlesOf(page)).toEqual([]);
  });

  test('sends once when the button is pressed twice', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    const sent = await page.locator('[data-tray-choose]').evaluate((button: HTMLElement) => {
      let count = 0;
      // It stays on the page, as it does while a slow line is at it.
      document.addEventListener('submit', (event) => {
        if (!event.defaultPrevented) count += 1;
        event.preventDefault();
      });
      button.click();
      button.click();
      return count;
    });
    expect(sent).toBe(1);
    expect(await said(page)).toBe('Adding to the course…');
  });

  test('returns to the unchanged selection after a refusal', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await page.click('#tray-toggle');
    const title = page.locator('#tray [data-field=title]');
    await title.fill('  ');
    await page.click('[data-tray-choose]');
    expect(await title.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe('Enter a title.');
    expect(page.url()).toContain('/lti/picker');
    // A browser that checks nothing.
    await page.locator('#tray').evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
    await page.click('[data-tray-choose]');
    await page.waitForSelector('h1:text("Not added yet")');
    await expectGoodLooks(page);
    await page.click('a.button');
    // The script has put it there.
    await page.waitForSelector('#tray li', { state: 'attached' });
    await page.click('#tray-toggle');
    await title.fill('Now it has one');
    const [item] = await leave(() => page.click('[data-tray-choose]'));
    expect(item).toMatchObject({ title: 'Now it has one' });
  });

  test('is empty after a replacement', async () => {
    const resourceLink = { id: 'replaced', title: 'A link', description: null };
    page = await host.open(browser, { deepLinking: null, resourceLink });
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await page.click('[data-tray-choose]');
    await page.waitForSelector('text=Resource replaced.');
    // Its script empties the tray.
    await page.waitForLoadState();
    await page.goBack();
    await page.waitForSelector('#tray');
    expect(await titlesOf(page)).toEqual([]);
  });

  test('replaces the selected object where one is accepted, and says so', async () => {
    page = await host.open(browser, { deepLinking: { ...settings, acceptMultiple: false } });
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await addButton('Go b').click();
    const words = 'You can select only one resource here: “Go b” replaces “Go a”.';
    expect(await said(page)).toBe(words);
    expect(await page.textContent('[data-tray-undo] span')).toBe(words);
    expect(await titlesOf(page)).toEqual(['Go b']);
    await page.click('[data-undo-change]');
    expect(await titlesOf(page)).toEqual(['Go a']);
    await addButton('Go b').click();
    expect(await addButton('Go a').getAttribute('aria-pressed')).toBe('false');
    expect(await leave(() => page.click('[data-tray-choose]'))).toHaveLength(1);
  });

  test('refuses more than 50 objects with a reason, also in the preview', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((name) => name.startsWith('skilldock-tray-'))!;
      const kept = JSON.parse(sessionStorage.getItem(key)!);
      const value = Array.from({ length: 50 }, (_, i) => ({ ...kept.value[0], address: `example.org/${i}` }));
      sessionStorage.setItem(key, JSON.stringify({ ...kept, value }));
    });
    await page.reload();
    await searchFor(page, 'Go');
    await addButton('Go b').click();
    expect(await said(page)).toMatch(/^You can add at most 50 resources at once\./);
    expect(await page.textContent('#results .problem')).toMatch(/^You can add at most 50 resources/);
    expect(await addButton('Go b').getAttribute('aria-pressed')).toBe('false');
    expect(await page.textContent('[data-tray-count]')).toBe('50');
    await page.click('#results [data-title="Go c"] [data-preview]');
    await page.click('#preview [data-add]');
    expect(await page.isVisible('#preview .problem')).toBe(true);
    expect(await page.textContent('[data-tray-count]')).toBe('50');
  });

  test('shows a field that cannot be sent', async () => {
    page = await host.open(browser);
    expect(await page.isDisabled('[data-tray-choose]')).toBe(true);
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await page.click('#tray-toggle');
    await openSettings();
    await page.check('#tray [data-field=graded]');
    await page.fill('#tray [data-field=points]', '101');
    await page.click('#tray-toggle');
    await page.click('[data-tray-choose]');
    expect(await page.isVisible('#tray [data-field=points]:focus')).toBe(true);
    await page.fill('#tray [data-field=points]', '1.5');
    await page.click('[data-tray-choose]');
    await page.fill('#tray [data-field=points]', '100');
    await page.fill('#tray [data-field=availableFrom]', '2026-09-02T08:00');
    await page.fill('#tray [data-field=availableUntil]', '2026-09-01T08:00');
    await openSettings();
    await page.click('[data-tray-choose]');
    expect(await page.isVisible('#tray [data-field=availableUntil]:focus')).toBe(true);
    expect(page.url()).toContain('/lti/picker');
    await page.fill('#tray [data-field=availableUntil]', '2026-09-03T08:00');
    await page.fill('#tray [data-field=submitUntil]', '2026-09-02T07:00');
    await page.click('[data-tray-choose]');
    const deadline = page.locator('#tray [data-field=submitUntil]:focus');
    expect(await deadline.evaluate((field: HTMLInputElement) => field.validationMessage)).toContain(
      'after “Available from”',
    );
    await page.fill('#tray [data-field=submitUntil]', '2026-09-02T09:00');
    const [item] = await leave(() => page.click('[data-tray-choose]'));
    expect(item?.lineItem).toMatchObject({ scoreMaximum: 100 });
  });

  test('U22: sets points and other settings of all objects at once, and says what they come to', async () => {
    page = await host.open(browser, { product: 'moodle' });
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    await page.click('#tray-toggle');
    const all = page.getByRole('checkbox', { name: 'All graded when completed' });
    const forAll = page.getByText('Settings for all');
    expect(await forAll.isVisible()).toBe(false);
    await addButton('Go b').click();
    await forAll.click();
    await all.check();
    await page.getByLabel('points each (1 to 100)').fill('5');
    await page.click('#tray-toggle');
    await addButton('Go c').click();
    await page.click('#tray-toggle');
    const points = page.locator('#tray [data-field=points]');
    expect(await points.evaluateAll((fields) => fields.map((each) => (each as HTMLInputElement).value))).toEqual([
      '5',
      '5',
      '5',
    ]);
    expect(await page.textContent('[data-tray-total]')).toBe('3 resources · 15 points · 4.5\u00a0h');
    await openSettings(1);
    await points.nth(1).fill('20');
    expect(await page.getByLabel('points each (1 to 100)').inputValue()).toBe('');
    await openSettings(0);
    await page.locator('#tray [data-field=graded]').first().uncheck();
    expect(await page.locator('#tray [data-points-chip]').allTextContents()).toEqual([
      'No points',
      '20 points',
      '5 points',
    ]);
    await forAll.click();
    expect(await all.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate])).toEqual([false, true]);
    await page.selectOption('[data-all=completion]', 'viewed');
    expect(
      await page
        .locator('#tray [data-field=completion]')
        .evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).value)),
    ).toEqual(['viewed', 'viewed', 'viewed']);
    const items = await leave(() => page.click('[data-tray-choose]'));
    const graded = items.map(({ lineItem }) => (lineItem as { scoreMaximum: number } | undefined)?.scoreMaximum);
    expect(graded).toEqual([undefined, 20, 5]);
  });

  test('names the object of each row, and leaves the keys of its calendar alone', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    for (const letter of ['a', 'b']) await addButton(`Go ${letter}`).click();
    await page.click('#tray-toggle');
    const origin = page.locator('#tray [data-origin]').first();
    expect(await origin.textContent()).toBe('YouTube');
    await page.locator('#tray [data-field=title]').first().fill('Week 1');
    expect(await origin.textContent()).toBe('YouTube · Go a');
    await openSettings();
    await page.locator('#tray [data-field=availableFrom]').first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    expect(await titlesOf(page)).toEqual(['Week 1', 'Go b']);
  });

  test('moves the focus near a removed row', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    for (const letter of ['a', 'b']) await addButton(`Go ${letter}`).click();
    await page.click('#tray-toggle');
    await page.getByRole('button', { name: 'Remove: Go a' }).press('Enter');
    expect(
      await page.getByRole('button', { name: 'Remove: Go b' }).evaluate((it) => it === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tray-title');
    expect(await said(page)).toBe('Removed: Go b. Selected: 0.');
    await page.click('[data-undo-change]');
    expect(await titlesOf(page)).toEqual(['Go b']);
    await page.click('#tray [data-remove]');
    await addButton('Go a').click();
    await addButton('Go a').click();
    expect(await titlesOf(page)).toEqual([]);
    await page.focus('#tray-title');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tray-toggle');
    await page.waitForSelector('#tray-panel', { state: 'hidden' });
  });

  test('orders objects by pointer', async () => {
    page = await host.open(browser, {}, { width: 1280, height: 900 });
    await searchFor(page, 'Go');
    for (const letter of ['a', 'b', 'c']) await addButton(`Go ${letter}`).click();
    const grips = page.locator('#tray .tray-grip');
    await grips.nth(0).dragTo(page.locator('#tray .tray-item').nth(2));
    expect(await titlesOf(page)).toEqual(['Go b', 'Go c', 'Go a']);
    await openSettings(2);
    await page.locator('#tray [data-move="-1"]').nth(2).click();
    expect(await titlesOf(page)).toEqual(['Go b', 'Go a', 'Go c']);
  });

  test('returns an empty list when it is cancelled', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    await addButton('Go a').click();
    expect(await leave(() => page.getByRole('button', { name: 'Cancel' }).click())).toEqual([]);
  });

  test('has no accessibility problems', async () => {
    page = await host.open(browser, { product: 'generic', locale: 'fr' });
    await searchFor(page, 'Go');
    for (const letter of ['a', 'b']) await addButton(`Go ${letter}`).click();
    await expectGoodLooks(page);
    await page.setViewportSize(sizes.dialog);
    await page.click('#tray-toggle');
    await openSettings();
    await page.locator('#tray [data-field=graded]').first().check();
    await expectGoodLooks(page);
  });

  test.each(['en', 'fr', 'de', 'es'])('the bar of the selection is one row on phones: %s', async (locale) => {
    page = await host.open(browser, { product: 'generic', locale });
    await searchFor(page, 'Go');
    for (const letter of ['a', 'b', 'c']) await addButton(`Go ${letter}`).click();
    const listMiddles = () =>
      page.locator('.tray-bar button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { top, height } = button.getBoundingClientRect();
          return Math.round(top + height / 2);
        }),
      );
    for (const size of [
      { width: 364, height: 778 },
      { width: 340, height: 255 },
    ]) {
      await page.setViewportSize(size);
      const [first, ...others] = await listMiddles();
      expect({ size, others }).toEqual({ size, others: [first, first] });
    }
  });

  test("U4, U24: begins in the search field, and adds a link of one's own in a tab", async () => {
    page = await host.open(browser);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
    await page.getByRole('tab', { name: 'Your link' }).click();
    await page.getByLabel('Web address').fill('http://localhost:9/charter.pdf');
    await page.getByLabel('Web address').blur();
    await page.getByText('You can add the link all the same').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Project charter');
    await expectGoodLooks(page);
    await page.getByRole('button', { name: 'Add to the selection' }).click();
    await page.getByText('Added to your selection.').waitFor();
    expect(await titlesOf(page)).toEqual(['Project charter']);
    await expectGoodLooks(page);
    expect(await leave(() => page.click('[data-tray-choose]'))).toMatchObject([{ title: 'Project charter' }]);
  });
});
