using Deque.AxeCore.Commons;

namespace ApexShop.Browser;

/// <summary>axe-core, the accessibility engine of Deque, with all its rules but the experimental ones.</summary>
public static class Axe
{
    private const string Run = """
        async () => {
          const rules = { 'target-size': { enabled: true } };
          const { violations } = await axe.run({ resultTypes: ['violations'], rules });
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
        }
        """;

    private static readonly string script = new BundledAxeScriptProvider().GetScript();

    /// <summary>What is wrong with what is visible now.</summary>
    public static async Task<string[]> ViolationsAsync(this PageVisit visit)
    {
        // The page's policy forbids scripts of others in the document, not those of the debugger.
        if (await visit.Page.EvaluateAsync<bool>("() => !window.axe")) await visit.Page.EvaluateAsync(script);
        return await visit.Page.EvaluateAsync<string[]>(Run);
    }
}
