using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Faults;

/// <summary>What an operator does while clients write: rebuild, rollback, audit, repair, healing.</summary>
internal static class OperatorFaults
{
    private const string Rebuild = "rebuild";
    private const string Audit = "audit";

    private static readonly TimeSpan timeout = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan poll = TimeSpan.FromMilliseconds(200);

    public static IEnumerable<Fault> All =>
    [
        new(Rebuild, "rebuilds all documents", _ => true, RebuildAsync),
        new("rollback", "rebuilds all documents and brings the previous ones back", _ => true, async context =>
        {
            await RebuildAsync(context);
            await PostAsync(context, "rollback", "/admin/projections/rollback");
        }),
        new(Audit, "compares all documents", _ => true, AuditAsync),
        new("audit-repair", "compares and repairs all documents", _ => true, context =>
            PostAsync(context, Audit, "/admin/audit?repair=true")),
        new("heal", "writes ten documents again from the log", _ => true, async context =>
        {
            await AuditAsync(context);
            for (var id = 1; id <= 10; id++) await PostAsync(context, "heal", $"/admin/parked/products/{id}/heal");
        }),
        new("rebuild-kill", "kills a Projector during a rebuild",
            control => control.Names.Contains("projector"), KillAsync) { IsExclusive = true },
    ];

    // Also before what would write a wrong document again: its difference would not be found.
    private static Task<OperatorReply> AuditAsync(FaultContext context) => PostAsync(context, Audit, "/admin/audit");

    private static async Task RebuildAsync(FaultContext context)
    {
        await AuditAsync(context);
        var begun = await PostAsync(context, Rebuild, "/admin/projections/rebuild");
        using var client = Client(context);
        var began = TimeProvider.System.GetTimestamp();
        while (TimeProvider.System.GetElapsedTime(began) < timeout)
        {
            using var response = await client.GetAsync("/admin/projections/rebuild");
            var text = await response.Content.ReadAsStringAsync();
            if (response.IsSuccessStatusCode && !JsonElement.Parse(text).GetProperty("state").ValueEquals("running"))
            {
                // Otherwise the result is that of an earlier one.
                var ended = OperatorReplyReader.Read(Rebuild, (int)response.StatusCode, text);
                if (begun.Status < 300 && ended.Result is not null) context.Report(ended);
                return;
            }

            await Task.Delay(poll);
        }

        context.Report(new(Rebuild, Status: 200, Result: $"still ran after {timeout.TotalSeconds} s"));
    }

    private static async Task KillAsync(FaultContext context)
    {
        await AuditAsync(context);
        await PostAsync(context, Rebuild, "/admin/projections/rebuild");
        var name = context.One("projector");
        await context.Control.SignalAsync(name, "KILL");
        await context.Control.EndAsync(name);
        await context.Control.StartAsync(name);
    }

    // A refusal is an outcome too: no Projector may be available, or a rebuild may run already.
    private static async Task<OperatorReply> PostAsync(FaultContext context, string command, string path)
    {
        using var client = Client(context);
        using var response = await client.PostAsync(path, null);
        var text = await response.Content.ReadAsStringAsync();
        var reply = OperatorReplyReader.Read(command, (int)response.StatusCode, text);
        context.Report(reply);
        return reply;
    }

    private static HttpClient Client(FaultContext context) => context.Shop.Client(
        context.Shop.Commands[context.Random.Next(context.Shop.Commands.Count)], timeout);
}
