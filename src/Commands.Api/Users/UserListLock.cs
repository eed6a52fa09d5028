using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;

namespace ApexShop.Commands.Api.Users;

/// <summary>Locks the users of a list that replaces them, and finds what prevents it.</summary>
internal sealed class UserListLock(ShopDbContext db, BulkReplacement replacement)
{
    public async Task<Result<Dictionary<int, User>>> LockAsync(
        IReadOnlyList<UserInput.Item> items, CancellationToken ct)
    {
        var locked = await replacement.LockAsync<User, UserInput.Item>(items, ct);
        if (locked.Value is not { } current) return locked;
        if (Erased(items, current) is { } erased) return erased;
        return await UniqueEmailCheck.RunAsync(db, items, items.Ids(), ct) is { } taken ? taken : current;
    }

    /// <summary>Releases the users again; a problem is checked as in <see cref="RefusalCheck{T,R}"/>.</summary>
    public async Task<Problem?> FindProblemAsync(IReadOnlyList<UserInput.Item> items, CancellationToken ct)
    {
        await using var transaction = await db.BeginAsync(ct);
        var (_, problem) = await LockAsync(items, ct);
        if (problem is not null) await transaction.CommitAsync();
        return problem;
    }

    private static Problem? Erased(IReadOnlyList<UserInput.Item> items, Dictionary<int, User> current)
    {
        var errors = new ItemErrors();
        for (var i = 0; i < items.Count; i++)
        {
            if (current[items[i].Id!.Value].IsErased) errors.Add(i, "id", $"User {items[i].Id} is erased.");
        }

        return errors.Any
            ? errors.ToProblem(
                StatusCodes.Status409Conflict, "user.erased", "A user who is erased cannot be changed.")
            : null;
    }
}
