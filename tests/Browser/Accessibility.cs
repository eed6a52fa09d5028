using Microsoft.Playwright;

namespace ApexShop.Browser;

/// <summary>
/// The rules of axe-core, and our own for what it does not check: the contrast of hints, names of sections, unused
/// references, and levels of headings beside dialogs.
/// </summary>
public static class Accessibility
{
    private const string Script = """
        () => {
          const found = [];
          const all = (selector, root = document) => [...root.querySelectorAll(selector)];
          const isShown = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
            && !element.closest('.unseen, .skip:not(:focus)');
          const name = element => `${element.localName}${element.id ? '#' + element.id : ''}`
            + `${element.className?.length ? '.' + element.className : ''}`
            + ` "${element.textContent.trim().replace(/\s+/g, ' ').slice(0, 30)}"`;
          const note = (rule, element) => found.push(`${rule}: ${name(element)}`);
          const shown = selector => all(selector).filter(isShown);

          // Colours as the browser paints them, whatever notation the style sheet uses.
          const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
          const rgba = colour => {
            pixel.clearRect(0, 0, 1, 1);
            pixel.fillStyle = colour;
            pixel.fillRect(0, 0, 1, 1);
            const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
            return [red, green, blue, alpha / 255];
          };
          const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
          const behind = element => {
            if (!element) return [255, 255, 255];
            const own = rgba(getComputedStyle(element).backgroundColor);
            return own[3] === 1 ? own.slice(0, 3) : over(own, behind(element.parentElement));
          };
          const opacity = element => element
            ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
          const luminance = colour => {
            const [r, g, b] = colour.map(part => part / 255)
              .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
            return .2126 * r + .7152 * g + .0722 * b;
          };
          const contrast = (one, other) => {
            const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
            return (high + .05) / (low + .05);
          };
          const checkContrast = (element, colour, rule) => {
            const { fontSize, fontWeight } = getComputedStyle(element);
            const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && fontWeight >= 700);
            const below = behind(element);
            const [red, green, blue, alpha] = rgba(colour);
            const ratio = contrast(over([red, green, blue, alpha * opacity(element)], below), below);
            if (ratio < (isLarge ? 3 : 4.5)) note(`${rule} ${ratio.toFixed(2)}`, element);
          };
          for (const element of shown('body *')) {
            const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
            const isOff = element.closest(':disabled, svg, [aria-hidden=true]');
            if (hasText && !isOff) checkContrast(element, getComputedStyle(element).color, 'contrast');
            if (element.placeholder && !element.value)
              checkContrast(element, getComputedStyle(element, '::placeholder').color, 'contrast of the hint');
          }

          const labels = element => (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
            .map(id => document.getElementById(id)?.textContent ?? '').join(' ');
          const nameOf = element => (labels(element) || element.ariaLabel || element.alt
            || [...(element.labels ?? [])].map(label => label.textContent).join(' ')
            || (element.matches('a, button, summary, h1, h2, h3') ? element.textContent : '')).trim();
          const named = 'a[href], button, input, select, textarea, progress, dialog[open], [role=img], [role=region], '
            + '[role=group], section, article';
          for (const element of shown(named)) if (!nameOf(element)) note('no name', element);
          for (const element of all('img')) if (!element.hasAttribute('alt')) note('no alternative', element);
          for (const element of all('[aria-labelledby], [aria-describedby], [aria-controls]'))
            for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls'])
              for (const id of (element.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean))
                if (!document.getElementById(id)) note(`${attribute} without its element`, element);
          const ids = all('[id]').map(element => element.id);
          for (const element of all('[id]'))
            if (ids.indexOf(element.id) !== ids.lastIndexOf(element.id)) note('id is used twice', element);

          if (!document.documentElement.lang || !document.title) found.push('no language or title');
          for (const part of ['main', 'h1']) {
            const count = all(part).filter(one => one.checkVisibility()).length;
            if (count !== 1) found.push(`${count} elements ${part}`);
          }
          const regions = all('section, article, [role=region], form[role=search]')
            .filter(one => one.checkVisibility());
          for (const region of regions)
            if (nameOf(region) && regions.some(other => other !== region && nameOf(other) === nameOf(region)))
              note('landmark of one name', region);
          for (const element of shown('body *'))
            if (!element.closest('header, main, dialog, .skip') && element.innerText?.trim())
              note('outside of landmarks', element);
          let level = 0;
          for (const heading of all('h1, h2, h3, h4').filter(one => one.checkVisibility() && !one.closest('dialog'))) {
            if (!heading.textContent.trim()) note('empty heading', heading);
            if (Number(heading.localName[1]) > level + 1) note('heading level skipped', heading);
            level = Number(heading.localName[1]);
          }
          for (const list of all('ul, ol'))
            for (const child of list.children) if (child.localName !== 'li') note('not a list item', child);
          for (const cell of all('th')) if (!cell.scope) note('header without scope', cell);
          for (const element of shown('body *')) {
            const { overflowX, overflowY } = getComputedStyle(element);
            const scrolls = (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1)
              || (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1);
            if (scrolls && element.tabIndex < 0 && !element.querySelector('a[href], button, input, select'))
              note('scrolls without the keyboard', element);
          }
          for (const element of shown('button, input, select, .links a')) {
            const { width, height } = element.getBoundingClientRect();
            const target = element.closest('label')?.getBoundingClientRect().height ?? height;
            if (Math.max(target, height) < 24 || width < 16) note(`target of ${width} x ${height}`, element);
          }
          for (const element of all('[tabindex]')) if (element.tabIndex > 0) note('positive tabindex', element);
          for (const element of all('[aria-hidden=true] :is(a[href], button)')) note('focus on hidden', element);
          return [...new Set(found)];
        }
        """;

    private const string EndOfTransitions = """
        () => Promise.allSettled(document.getAnimations()
          .filter(animation => animation instanceof CSSTransition).map(transition => transition.finished))
          .then(() => {})
        """;

    /// <summary>What is wrong with what is visible now.</summary>
    public static Task<string[]> FaultsAsync(this PageVisit visit) => visit.Page.EvaluateAsync<string[]>(Script);

    /// <summary>Checks what is visible now, in light and in dark colours.</summary>
    public static async Task ShouldBeAccessibleAsync(this PageVisit visit, string what)
    {
        foreach (var scheme in (ColorScheme[])[ColorScheme.Light, ColorScheme.Dark])
        {
            await visit.Page.EmulateMediaAsync(new() { ColorScheme = scheme, ReducedMotion = ReducedMotion.Reduce });
            await visit.SettleAsync();
            // A text has its final contrast only when it has been faded in.
            await visit.Page.EvaluateAsync(EndOfTransitions);
            (await visit.FaultsAsync()).ShouldBeEmpty($"{what}, {scheme}");
            (await visit.ViolationsAsync()).ShouldBeEmpty($"{what}, {scheme}");
        }
    }
}
