using ApexShop.Prove.Clients;
using ApexShop.Prove.Faults;
using ApexShop.Prove.Histories;
using ApexShop.Prove.Resting;

namespace ApexShop.Prove;

/// <summary>
/// One run: clients write and read while faults are injected; then the shop comes to rest and is read in every way.
/// </summary>
internal sealed class ProveRun(
    ShopAddresses shop, IShopControl? control, ProveOptions options, bool isExclusive, Action<string> report)
{
    private const int SharedCategories = 2;
    private const int SharedProducts = 8;
    private const int SharedUsers = 4;
    private const int FirstClient = 1;

    // A cluster of RabbitMQ that was partitioned twice may take more than a minute until its nodes have joined.
    private static readonly TimeSpan consumerLimit = TimeSpan.FromMinutes(3);

    // The first command of a process may take longer than a request's limit while the machine starts all others.
    private static readonly TimeSpan prepareLimit = TimeSpan.FromMinutes(1);

    private static readonly TimeSpan logLimit = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan poll = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan progressEvery = TimeSpan.FromSeconds(5);

    private readonly Recording recording = new();
    private FaultSchedule? schedule;

    /// <summary>How long the log must be unchanged at the end.</summary>
    public TimeSpan Quiet { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>The load goes on until this many requests were sent, also on a slow machine.</summary>
    public int LeastRequests { get; init; }

    /// <summary>Whether lists with filters and sorts are read at rest: more than a thousand requests.</summary>
    public bool ReadsLists { get; init; } = true;

    /// <summary>
    /// Writes the history into the folder of the options and returns it; one that fails is written as far as it is.
    /// </summary>
    public async Task<History> RunAsync(CancellationToken ct)
    {
        var before = await new LogReader(shop).ReadAsync(ct);
        var start = before.Count == 0 ? 0 : LogEvent.Parse(before[^1]).Position;
        try
        {
            var (log, rest) = await AttackAsync(start, ct);
            await HistoryFolder.WriteAsync(options.Folder, HeaderOf(start), recording.Attempts, log, rest);
        }
        catch (Exception failed)
        {
            // The requests that were under way have events and no attempt, as those of others have.
            await KeepAsync(HeaderOf(start) with { Failure = failed.Message, Exclusive = false });
            throw;
        }

        return await HistoryFolder.ReadAsync(options.Folder, ct);
    }

    private RunHeader HeaderOf(long start) => new(
        options.Seed, options.Clients, options.Seconds, options.Faults, start, isExclusive,
        schedule?.Injected.Count ?? 0, schedule?.Injected, schedule?.Operated)
    {
        Format = RunHeader.Current, Began = recording.Began,
    };

    private async Task KeepAsync(RunHeader header)
    {
        // Before the log, which then has what these acknowledged unless it has no position yet.
        List<Attempt> attempts = [.. recording.Attempts];
        List<string> log = [];
        try
        {
            await Task.Delay(Quiet);
            using var limit = new CancellationTokenSource(logLimit);
            log = await new LogReader(shop).ReadAsync(limit.Token);
        }
        catch (Exception lost) when (lost is TimeoutException or OperationCanceledException)
        {
            report("the event log could not be read");
        }

        await HistoryFolder.WriteAsync(options.Folder, header, attempts, log, new());
        report($"the run has failed; its history so far is in {options.Folder}");
    }

    private async Task<(List<string> Log, RestState State)> AttackAsync(long start, CancellationToken ct)
    {
        using var ending = new CancellationTokenSource();
        var feed = new FeedFollower(shop, start);
        var queue = control?.Broker is null ? null : new QueueFollower(shop, control, Kinds.Products, start);
        using var webhook = control is null
            ? null
            : new WebhookReceiver(shop, control.Receiver, start, new(options.Seed));
        if (webhook is not null) await webhook.StartAsync(ct);
        var copies = Kinds.All.Select(resource => new ChangesFollower(shop, resource)).ToList();
        var following = Task.WhenAll(
            feed.RunAsync(ending.Token),
            queue?.RunAsync(ending.Token) ?? Task.CompletedTask,
            webhook?.RunAsync(ending.Token) ?? Task.CompletedTask);
        using var loading = new CancellationTokenSource();
        var copying = Task.WhenAll(copies.Select(copy => copy.RunAsync(loading.Token)));
        await LoadAsync(ct);
        report("the load has ended; waiting until every event is applied");
        var log = await new Settling(shop, Quiet).WaitAsync(ct);
        await loading.CancelAsync();
        await copying;
        var rest = await ReadAsync(copies, ct);
        await CatchUpAsync(feed, queue, webhook, [.. log.Select(LogEvent.Parse)], start, ct);
        await ending.CancelAsync();
        await following;
        Consumed?[] consumed = [feed.Consumed, queue?.Consumed, webhook?.Consumed];
        return (log, rest with { Consumers = [.. consumed.OfType<Consumed>()] });
    }

    private async Task<RestState> ReadAsync(List<ChangesFollower> copies, CancellationToken ct)
    {
        foreach (var copy in copies) await copy.CatchUpAsync(ct);
        var reader = new RestReader(shop);
        var rest = new RestState
        {
            Views = [.. await reader.ReadAsync(ct), .. copies.Select(copy => copy.Copy)],
            Facets = await reader.FacetsAsync(ct), Audit = await reader.AuditAsync(ct),
        };
        return ReadsLists ? await new ListReader(shop).ReadAsync(rest, ct) : rest;
    }

    private async Task LoadAsync(CancellationToken ct)
    {
        List<ShopClient> clients = [];
        List<Sender> senders = [];
        foreach (var number in Enumerable.Range(0, options.Clients + FirstClient))
        {
            senders.Add(new(shop, recording, number));
            clients.Add(new(
                shop, senders[^1],
                new(options.Seed, number, recording.Run) { HasOldRows = control?.Database is not null },
                recording.Run, number) { RepeatFor = number < FirstClient ? prepareLimit : TimeSpan.Zero });
        }

        await PrepareAsync(clients, ct);
        using var load = CancellationTokenSource.CreateLinkedTokenSource(ct);
        schedule = control is null
            ? null
            : new FaultSchedule(
                Fault.Lists(options.Faults), control, shop, options.Seed, () => recording.Now, report);
        List<Task> running =
        [
            .. clients.Skip(FirstClient).Select(client => client.RunAsync(load.Token)), ProgressAsync(load.Token),
            schedule?.RunAsync(load.Token) ?? Task.CompletedTask, EndAsync(load, ct),
        ];
        try
        {
            // A client or a fault that fails ends the run at once.
            await await Task.WhenAny([Task.WhenAll(running), .. running.Select(OnlyFailureAsync)]);
        }
        finally
        {
            // Also after a failure: the log is read next.
            await load.CancelAsync();
        }

        foreach (var sender in senders) sender.Dispose();

        static async Task OnlyFailureAsync(Task one)
        {
            await one;
            await Task.Delay(Timeout.Infinite, CancellationToken.None);
        }
    }

    private async Task EndAsync(CancellationTokenSource load, CancellationToken ct)
    {
        await Task.Delay(TimeSpan.FromSeconds(options.Seconds), ct);
        while (recording.Attempts.Count < LeastRequests) await Task.Delay(poll, ct);
        await load.CancelAsync();
    }

    /// <summary>The first client creates what all clients change.</summary>
    private async Task PrepareAsync(List<ShopClient> clients, CancellationToken ct)
    {
        var first = clients[0];
        await MakeAsync(first, CategoryPlan.Create, SharedCategories);
        await MakeAsync(first, ProductPlan.Create, SharedProducts);
        await MakeAsync(first, UserPlan.Create, SharedUsers);
        var shared = Kinds.All.SelectMany(first.Shop.Of).ToList();
        if (control?.Database is { } database)
        {
            var old = new OldRows(first, database);
            await old.CreateAsync(ct);
            shared.AddRange(old.Shared);
        }

        foreach (var one in shared)
        {
            foreach (var client in clients.Skip(FirstClient))
                client.Shop.Add(
                    new(one.Resource, one.Id) { Version = one.Version, IsShared = true, Slug = one.Slug });
        }
    }

    private static async Task MakeAsync(ShopClient client, Func<KnownShop, Request> make, int count)
    {
        for (var made = 0; made < count; made++)
        {
            var attempt = await client.NextAsync(shop => make(shop).Keyed);
            if (attempt.Outcome != Outcome.Acknowledged)
                throw new InvalidOperationException($"The shop refuses the first commands: {attempt}");
        }
    }

    private async Task ProgressAsync(CancellationToken ct)
    {
        using var timer = new PeriodicTimer(progressEvery);
        try
        {
            while (await timer.WaitForNextTickAsync(ct)) report($"{recording.Attempts.Count} requests");
        }
        catch (OperationCanceledException)
        {
            // The load has ended.
        }
    }

    // A consumer that never arrives is a violation, which its check reports.
    private static async Task CatchUpAsync(
        FeedFollower feed,
        QueueFollower? queue,
        WebhookReceiver? webhook,
        List<LogEvent> log,
        long start,
        CancellationToken ct)
    {
        var count = log.Count(one => one.Position > start);
        var began = TimeProvider.System.GetTimestamp();
        var last = log.FindLast(one => one.Resource == Kinds.Products)?.Position ?? 0;
        while ((feed.Last < log[^1].Position || queue?.Last < last || webhook?.Count < count)
            && TimeProvider.System.GetElapsedTime(began) < consumerLimit)
            await Task.Delay(poll, ct);
    }
}
