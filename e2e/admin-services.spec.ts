import { choose, editorOf, expand, expect, lineOf, test } from './branch.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs } from './caller.ts';
import { enterAsAdministrator, openTab } from './steps.ts';

const path = '/admin/services';

test.use({ viewport: desktopSize });

test('the tree from level 1 to 5: name, description, level, Service final, Masqué, number or code', async ({
  page,
  product,
  branch,
}) => {
  const { root } = branch;
  const second = await branch.add('Deuxième', { description: 'Ce que dit la carte' });
  const third = await branch.add('Troisième', { parentId: second.id, isVisible: false });
  const fourth = await branch.add('Quatrième', { parentId: third.id, phoneNumber: '+226 25 30 00 00' });
  const fifth = await branch.add('Cinquième', {
    parentId: fourth.id,
    isFinalLevel: true,
    description: 'Vers un compte',
    phoneNumber: '*144*2*XX#',
  });
  await enterAsAdministrator(page, product, path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gestion Hiérarchique des Services');
  await expect(lineOf(page, second)).toHaveCount(0);
  await expand(page, root, second, third, fourth);
  for (const size of [phoneSize, desktopSize]) {
    await page.setViewportSize(size);
    for (const [index, service] of [root, second, third, fourth, fifth].entries()) {
      const line = lineOf(page, service);
      await expect(line).toHaveAttribute('aria-level', String(index + 1));
      await expect(line).toContainText(service.name);
      await expect(line.getByText(`Niveau ${index + 1}`, { exact: true })).toBeVisible();
      await expect(line.getByText('Service final', { exact: true })).toHaveCount(service === fifth ? 1 : 0);
      await expect(line.getByText('Masqué', { exact: true })).toHaveCount(service === third ? 1 : 0);
    }
    await expect(lineOf(page, fifth)).not.toHaveAttribute('aria-expanded');
    await expect(lineOf(page, second).getByText('Ce que dit la carte')).toBeVisible();
    await expect(lineOf(page, fourth).getByText('+226 25 30 00 00')).toBeVisible();
    await expect(lineOf(page, fifth).getByText('*144*2*XX#')).toBeVisible();
    await expect(lineOf(page, fifth)).toContainText('Vers un compte');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
  await lineOf(page, root).click();
  await expect(lineOf(page, root)).toHaveAttribute('aria-expanded', 'false');
  await expect(lineOf(page, second)).toHaveCount(0);
});

test('the confirmation of a deletion says what hangs on it, then Service supprimé', async ({
  page,
  product,
  branch,
}) => {
  const final = await branch.add('Commandé', { isFinalLevel: true, price: '500 FCFA' });
  await branch.add('Voisin', { isFinalLevel: true });
  const person = { firstName: 'Salif', lastName: 'Barro', phone: '70413600' };
  const user = await callAs(product, person);
  for (const beneficiaryPhoneNumber of ['+22670414141', '+22670414142'])
    await user.send('POST', '/api/tickets', {
      userId: user.userId,
      serviceId: final.id,
      servicePath: [{ id: branch.root.id }, { id: final.id }],
      beneficiaryPhoneNumber,
      paymentTypeName: 'Wave',
      totalPrice: '500',
      status: 'pending',
    });
  await user.end();
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, path);

  await choose(page, branch.root, 'Supprimer');
  const refusal = page.getByRole('dialog', { name: `« ${branch.root.name} » ne peut pas être supprimé` });
  await expect(refusal).toContainText("Ce service contient 2 autres services. Supprimez-les d'abord");
  await expect(refusal.getByRole('button', { name: 'Supprimer' })).toHaveCount(0);
  await refusal.getByRole('button', { name: 'Fermer' }).click();

  await page.setViewportSize(desktopSize);
  await expand(page, branch.root);
  await choose(page, final, 'Supprimer');
  const dialog = page.getByRole('dialog', { name: 'Supprimer « Commandé » ?' });
  await expect(dialog).toContainText("Ce service sera supprimé définitivement. C'est irréversible.");
  await expect(dialog).toContainText('2 tickets gardent leur historique');
  await expect(dialog).toContainText('« Service inconnu »');
  await dialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(lineOf(page, final)).toBeVisible();
  expect(await branch.names()).toEqual(['Commandé', 'Voisin']);
  await page.setViewportSize(phoneSize);
  await choose(page, final, 'Supprimer');
  await dialog.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await expect(page.getByText('Service supprimé')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(lineOf(page, final)).toHaveCount(0);
  expect(await branch.names()).toEqual(['Voisin']);
});

test('what is open stays open across a poll, and across another tab and back', async ({ page, product, branch }) => {
  const opened = await branch.add('Ouvert');
  const closed = await branch.add('Fermé');
  const inside = await branch.add("Dans l'ouvert", { parentId: opened.id });
  const hidden = await branch.add('Dans le fermé', { parentId: closed.id });
  await enterAsAdministrator(page, product, path);
  await expand(page, branch.root, opened);
  const late = await branch.add('Venu après');
  // Only the poll requests it.
  await expect(lineOf(page, late)).toBeVisible();
  const expectAsLeft = async () => {
    await expect(lineOf(page, inside)).toBeVisible();
    await expect(lineOf(page, opened)).toHaveAttribute('aria-expanded', 'true');
    await expect(lineOf(page, closed)).toHaveAttribute('aria-expanded', 'false');
    await expect(lineOf(page, hidden)).toHaveCount(0);
  };
  await expectAsLeft();
  await openTab(page, 'Paiements');
  await expect(lineOf(page, inside)).toBeHidden();
  await openTab(page, 'Services');
  await expectAsLeft();
});

test('the search opens the way to what it finds by name, description or code', async ({ page, product, branch }) => {
  const word = branch.root.name.slice(-8);
  const middle = await branch.add('Milieu');
  const byName = await branch.add(`Électricité ${word}`, { parentId: middle.id });
  const byDescription = await branch.add('Par description', { description: `Compteur ${word}` });
  const byCode = await branch.add('Par code', { isFinalLevel: true, phoneNumber: '*777*31*XX#' });
  await enterAsAdministrator(page, product, path);
  await expect(lineOf(page, branch.root)).toBeVisible();
  const search = page.getByLabel('Rechercher dans le catalogue');
  await search.fill(`ELECTRICITE ${word}`);
  await expect(page.getByText('1 service trouvé', { exact: true })).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await expect(lineOf(page, byName).locator('mark').first()).toHaveText('Électricité');
  await search.fill(`compteur ${word}`);
  await expect(lineOf(page, byDescription)).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await search.fill('*777*31');
  await expect(lineOf(page, byCode)).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await search.fill(`${word} nulle part`);
  await expect(page.getByText('Aucun service trouvé')).toBeVisible();
  await search.fill('');
  await expect(lineOf(page, branch.root)).toHaveAttribute('aria-expanded', 'false');
});

test('an empty catalogue says Aucun service disponible and offers Nouveau Service', async ({ page, product }) => {
  await page.route('**/api/admin/services', (route) => route.fulfill({ json: [] }));
  await enterAsAdministrator(page, product, path);
  await expect(page.getByText('Aucun service disponible')).toBeVisible();
  await page.getByRole('button', { name: 'Nouveau Service' }).last().click();
  await expect(editorOf(page, 'Nouveau service')).toBeVisible();
});

test('the arrows walk the tree, open and close it, and are one stop of the Tab key', async ({
  page,
  product,
  branch,
}) => {
  const first = await branch.add('Premier');
  const second = await branch.add('Second');
  await enterAsAdministrator(page, product, path);
  await expect(lineOf(page, branch.root)).toBeVisible();
  await lineOf(page, branch.root).focus();
  const steps: [key: string, at: { id: number }][] = [
    ['ArrowRight', branch.root],
    ['ArrowRight', first],
    ['ArrowDown', second],
    ['ArrowUp', first],
    ['ArrowLeft', branch.root],
  ];
  for (const [key, at] of steps) {
    await page.keyboard.press(key);
    await expect(lineOf(page, at), key).toBeFocused();
  }
  await expect(page.locator('[role="treeitem"][tabindex="0"]')).toHaveCount(1);
  await page.keyboard.press('End');
  await expect(page.getByRole('treeitem').last()).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.getByRole('treeitem').first()).toBeFocused();
  await lineOf(page, branch.root).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(lineOf(page, branch.root)).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(editorOf(page, 'Modifier le service').getByLabel('Nom du service *')).toHaveValue('Premier');
});

test('Alt with an arrow puts a service past its neighbour, says where it stands, and the visitor has that order', async ({
  page,
  product,
  branch,
}) => {
  for (const name of ['A', 'B', 'C']) await branch.add(name);
  const moved = await branch.find('C');
  if (!moved) throw new Error('C is not there');
  await enterAsAdministrator(page, product, path);
  await expand(page, branch.root);
  await lineOf(page, moved).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByText('C : position 2 sur 3.')).toBeAttached();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByText('C : position 1 sur 3.')).toBeAttached();
  await expect(lineOf(page, moved)).toHaveAttribute('aria-posinset', '1');
  await expect(lineOf(page, moved)).toBeFocused();
  await expect.poll(() => branch.names()).toEqual(['C', 'A', 'B']);
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => branch.names()).toEqual(['A', 'C', 'B']);
  const shown = await page.request.get(`${product.url}/api/services?parentId=${branch.root.id}`);
  expect(((await shown.json()) as { name: string }[]).map(({ name }) => name)).toEqual(['A', 'C', 'B']);
});

test("the parent's choices leave out the service, what is below it, level 5 and final services", async ({
  page,
  product,
  branch,
}) => {
  const edited = await branch.add('Modifié');
  await branch.add('Descendant', { parentId: edited.id });
  await branch.add('Final', { isFinalLevel: true });
  let parentId = branch.root.id;
  for (const name of ['N2', 'N3', 'N4', 'N5']) parentId = (await branch.add(name, { parentId })).id;
  await enterAsAdministrator(page, product, path);
  await expand(page, branch.root);
  const own = new Set((await branch.read()).map(({ id }) => String(id)));
  const choices = async (form: ReturnType<typeof editorOf>) => {
    const options = await form
      .getByLabel('Service parent')
      .locator('option')
      .evaluateAll((all) => all.map((each) => [(each as HTMLOptionElement).value, each.textContent?.trim()]));
    return options.filter(([value]) => own.has(value ?? '')).map(([, name]) => name);
  };
  await page.getByRole('button', { name: 'Nouveau Service' }).click();
  await expect(editorOf(page, 'Nouveau service')).toBeVisible();
  expect(await choices(editorOf(page, 'Nouveau service'))).toEqual([
    branch.root.name,
    'Modifié',
    'Descendant',
    'N2',
    'N3',
    'N4',
  ]);
  await choose(page, edited, 'Modifier');
  await expect(editorOf(page, 'Modifier le service')).toBeVisible();
  // With the service under it, it needs two levels.
  expect(await choices(editorOf(page, 'Modifier le service'))).toEqual([branch.root.name, 'N2', 'N3']);
});

test('on a phone a service is moved by its menu, among its siblings and to another parent with all below it', async ({
  page,
  product,
  branch,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const first = await branch.add('Un');
  const moved = await branch.add('Deux');
  await branch.add('Sous deux', { parentId: moved.id });
  await enterAsAdministrator(page, product, path);
  await expand(page, branch.root);
  await lineOf(page, moved).getByRole('button', { name: 'Actions pour Deux' }).click();
  await page.getByRole('menuitem', { name: 'Monter' }).click();
  await expect.poll(() => branch.names()).toEqual(['Deux', 'Un']);
  await choose(page, moved, 'Déplacer');
  const dialog = page.getByRole('dialog', { name: 'Déplacer « Deux »' });
  await expect(dialog.getByRole('status').first()).toHaveText(`Position 1 sur 2, sous « ${branch.root.name} ».`);
  await dialog.getByRole('button', { name: 'Descendre' }).click();
  await expect(dialog.getByRole('status').first()).toContainText('Position 2 sur 2');
  await expect.poll(() => branch.names()).toEqual(['Un', 'Deux']);
  await dialog.getByLabel('Service parent').selectOption(String(first.id));
  await dialog.getByRole('button', { name: 'Changer de parent' }).click();
  await expect(dialog).toBeHidden();
  await expect(lineOf(page, moved)).toHaveAttribute('aria-level', '3');
  await expect(lineOf(page, moved)).toBeFocused();
  expect((await branch.find('Sous deux'))?.level).toBe(4);
});
