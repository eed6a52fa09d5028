using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>A part of a long list: its number and the index of its first item in the list.</summary>
internal sealed record ItemChunk<T>(int Number, int First)
{
    private readonly ItemErrors errors = new();

    /// <summary>The items; none if one of them has an error.</summary>
    public List<T> Items { get; } = [];

    public int Count { get; private set; }

    /// <summary>Why the chunk cannot be executed.</summary>
    public Problem? Problem { get; private set; }

    /// <summary>Whether the rest of the list cannot be read.</summary>
    public bool IsLast { get; private set; }

    public async ValueTask AddAsync(ItemReader<T> reader, ItemValidator<T> validator, CancellationToken ct)
    {
        Count++;
        if (reader.Error is { } error) errors.Add(error.Key, error.Value);
        else await validator.CheckAsync(reader.Item!, reader.Index, errors, ct);
        if (!errors.Any)
        {
            Items.Add(reader.Item!);
            return;
        }

        // A chunk with an error is refused completely: its items need no memory.
        Problem = errors.ToProblem();
        Items.Clear();
    }

    public void End(Problem problem) => (Problem, IsLast) = (problem, true);
}
