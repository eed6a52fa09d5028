namespace ApexShop.Load.Reports;

/// <summary>One style for all pages, for light and dark screens and for paper.</summary>
internal static class PageStyle
{
    public const string Text =
        """
        :root { color-scheme: light dark; --ink: #1d2733; --quiet: #5b6876; --line: #d7dde4; --card: #ffffff;
            --page: #f4f6f8;
          --good: #1a7f4b; --bad: #b3261e; --a: #2563a8; --b: #c2570c; --c: #8a94a0; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --quiet: #9aa6b2; --line: #36414d;
            --card: #1b222a; --page: #12171d;
          --good: #58c58c; --bad: #ff8a80; --a: #6fa8e8; --b: #f0995a; --c: #6b7682; } }
        body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
        main { max-width: 1240px; margin: 0 auto; padding: 24px 16px 64px; }
        h1 { font-size: 1.7rem; margin: 0 0 4px; }
        h2 { font-size: 1.25rem; margin: 0; }
        h3 { font-size: 1rem; margin: 20px 0 6px; }
        p { margin: 6px 0; }
        section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 16px 20px;
            margin: 20px 0; }
        .quiet { color: var(--quiet); }
        .good { color: var(--good); font-weight: 600; }
        .bad { color: var(--bad); font-weight: 600; }
        .warning { border-left: 4px solid var(--bad); padding: 6px 12px; margin: 10px 0; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; margin: 8px 0; font-variant-numeric: tabular-nums; }
        th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid var(--line); white-space: nowrap; }
        th:first-child, td:first-child { text-align: left; }
        th { color: var(--quiet); font-weight: 600; }
        .facts td, .facts th { text-align: left; white-space: normal; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 16px;
            margin-top: 12px; }
        figure { margin: 0; }
        figcaption { color: var(--quiet); font-size: 0.9rem; }
        svg { width: 100%; height: auto; display: block; }
        svg text { fill: var(--quiet); font-size: 11px; }
        .axis { stroke: var(--line); stroke-width: 1; }
        .a { stroke: var(--a); } .b { stroke: var(--b); } .c { stroke: var(--c); stroke-dasharray: 4 3; }
        .curve { fill: none; stroke-width: 2; stroke-linejoin: round; }
        .key-a { color: var(--a); } .key-b { color: var(--b); } .key-c { color: var(--c); }
        pre { overflow-x: auto; background: var(--page); border: 1px solid var(--line); border-radius: 6px;
            padding: 10px; font-size: 13px; }
        a { color: var(--a); }
        @media print { section { break-inside: avoid; } }
        """;
}
