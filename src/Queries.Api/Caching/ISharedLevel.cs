namespace ApexShop.Queries.Api.Caching;

/// <summary>Answers that all processes share.</summary>
internal interface ISharedLevel
{
    /// <summary>Null when it does not answer.</summary>
    Task<SharedAnswer?> FindAsync(Question question, CancellationToken ct);

    /// <summary>Keeps an answer under the fence that was found before it was read, and gives its lease back.</summary>
    Task KeepAsync(Question question, string fence, Answer answer, CancellationToken ct);
}

/// <summary>What was found: the fence of a later answer, the current answer if there is one, and who is to read it.</summary>
internal readonly record struct SharedAnswer(string Fence, Answer? Answer, bool Leads);
