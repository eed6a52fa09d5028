using System.Diagnostics;
using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>One client: sends the requests of its plan one after the other, and repeats commands with keys.</summary>
internal sealed class ShopClient(ShopAddresses addresses, Sender sender, KnownShop shop, string run, int client)
{
    private const int Repeats = 4;

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(100);

    public KnownShop Shop => shop;

    /// <summary>How long at least a command with a key is repeated while its outcome is open.</summary>
    public TimeSpan RepeatFor { get; init; }

    public async Task RunAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested) await NextAsync(Plan.Next);
    }

    /// <summary>Plans the next request and executes it.</summary>
    public Task<Attempt> NextAsync(Func<KnownShop, Request> make)
    {
        shop.Number++;
        return ExecuteAsync(make(shop));
    }

    /// <summary>Sends a request, repeats it while its outcome is open, and learns from the answer.</summary>
    private async Task<Attempt> ExecuteAsync(Request request)
    {
        var key = request.IsKeyed ? $"{run}-{client}-{shop.Number}" : null;
        var began = Stopwatch.GetTimestamp();
        var (attempt, reply) = await sender.SendAsync(request, ProcessFor(request), key);
        var wasOpen = IsOpen(attempt);
        for (var repeat = 0;
            key is not null && IsOpen(attempt)
            && (repeat < Repeats || Stopwatch.GetElapsedTime(began) < RepeatFor);
            repeat++)
        {
            await Task.Delay(pause);
            (attempt, reply) = await sender.SendAsync(request, ProcessFor(request), key);
        }

        if (reply is not null && attempt.Outcome == Outcome.Acknowledged) Learn(request, attempt, reply);
        // An attempt without an answer may be executed after a refusal of its repetition.
        if (wasOpen && attempt.Outcome != Outcome.Acknowledged) Doubt(request);
        // The documents were made again: the changes begin again too.
        if (attempt.Code == "cursor.expired") shop.Cursors.Remove(Operation.All[request.Operation].Resource);
        // A process that is unavailable responds at once; without a pause a client would only repeat that.
        if (attempt.Outcome == Outcome.Unknown) await Task.Delay(pause);
        else if (key is not null) await RepeatAsync(request, key, attempt);
        return attempt;
    }

    /// <summary>Sends the key again: the same request, or another one.</summary>
    private async Task RepeatAsync(Request request, string key, Attempt earlier)
    {
        var choice = shop.Random.Next(12);
        if (choice < 3)
        {
            var (again, reply) = await sender.SendAsync(request, ProcessFor(request), key);
            // A refusal that is not stored is followed by an execution.
            var isFirst = again.Outcome == Outcome.Acknowledged && earlier.Outcome != Outcome.Acknowledged;
            if (isFirst) Learn(request, again, reply!);
            else if (again.Outcome == Outcome.Unknown) Doubt(request);
        }

        if (choice == 3 && request.Operation is "products.stock" or "products.bulk-stock")
            await sender.SendAsync(
                request with { Body = Other(request), Stock = null, Delta = 777 }, ProcessFor(request), key);
    }

    private static object Other(Request request) => request.Operation == "products.stock"
        ? new { delta = 777 }
        : new { categoryId = 1, delta = 777 };

    private static bool IsOpen(Attempt attempt) =>
        attempt.Outcome == Outcome.Unknown || attempt.Code == "idempotency.in_progress";

    private string ProcessFor(Request request)
    {
        var processes = Operation.All[request.Operation].IsRead ? addresses.Queries : addresses.Commands;
        return processes[shop.Random.Next(processes.Count)].Name;
    }

    private void Learn(Request request, Attempt attempt, Reply reply)
    {
        var operation = Operation.All[request.Operation];
        if (operation.Effect is Effect.Delete or Effect.BulkDelete)
            foreach (var id in attempt.Asked) shop.Delete(operation.Resource, id, reply.Token);
        if (operation.Verb == "changes") shop.Cursors[operation.Resource] = TextOf(reply, "nextCursor");
        if (attempt.LoggedIn is { } customer) shop.LogIn(new KnownCustomer(customer, TextOf(reply, "token")));
        if (operation.Effect == Effect.Erase && shop.Find(operation.Resource, attempt.Asked[0]) is { } erased)
            (erased.IsErased, erased.Token, erased.Email) = (true, reply.Token, null);
        // The token of an earlier answer is as good as that of its repetition.
        foreach (var saved in attempt.Saved)
        {
            var one = shop.Find(saved.Resource, saved.Id);
            if (one is null && operation.Effect is Effect.Create or Effect.BulkCreate)
                shop.Add(one = new(saved.Resource, saved.Id) { Parent = request.Parent, Slug = request.Slug });
            if (one is null || one.Version > saved.Version) continue;
            (one.Version, one.Token) = (saved.Version, reply.Token);
            one.Status = request.Status ?? one.Status;
            if (operation.Name != "users.patch") one.Email = request.Email;
        }
    }

    /// <summary>The e-mail address that a user has after a command without an answer is not certain.</summary>
    private void Doubt(Request request)
    {
        var operation = Operation.All[request.Operation];
        if (operation is not { Resource: Kinds.Users, IsRead: false }) return;
        foreach (var id in request.Asked)
            shop.Find(Kinds.Users, id)?.DoubtEmail();
    }

    private static string TextOf(Reply reply, string name) =>
        JsonElement.Parse(reply.Text).GetProperty(name).GetString()!;
}
