using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>A part of a long list: its number, the place of its first item in the list, and how many items it has.</summary>
internal sealed record Chunk<T>(int Number, int First)
{
    private readonly ItemErrors errors = new();

    public List<T> Items { get; } = [];

    public int Count { get; private set; }

    /// <summary>Why no command can be made of it.</summary>
    public Problem? Problem { get; private set; }

    /// <summary>Whether the list can be read no further.</summary>
    public bool IsLast { get; private set; }

    public async ValueTask AddAsync(ItemReader<T> reader, ItemValidator<T> rules, CancellationToken ct)
    {
        Count++;
        if (reader.Fault is { } fault) errors.Add(fault.Key, fault.Value);
        else await rules.CheckAsync(reader.Item!, reader.Index, errors, ct);
        Items.Add(reader.Item!);
        if (errors.Any) Problem = errors.ToProblem();
    }

    public void End(Problem problem) => (Problem, IsLast) = (problem, true);
}
