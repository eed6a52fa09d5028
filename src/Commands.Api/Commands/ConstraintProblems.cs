using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Commands;

/// <summary>The response to a row that violates a constraint; each resource registers those of its table.</summary>
internal sealed record ConstraintProblem(string Constraint, string Code, string Detail);

/// <summary>Turns what PostgreSQL refused into a problem; the name of a constraint never leaves the process.</summary>
internal sealed class ConstraintProblems(IEnumerable<ConstraintProblem> known)
{
    private readonly Dictionary<string, ConstraintProblem> known = known.ToDictionary(one => one.Constraint);

    public static Problem Overtaken =>
        Problem.Conflict("version.overtaken", "Another request changed the resource at the same time; try again.");

    private static Problem LockTimeout => new(
        StatusCodes.Status503ServiceUnavailable, "lock.timeout",
        "Another command has locked the same data for too long. Nothing was changed, except by "
        + "the finished chunks of a command that works in chunks. Try again soon.");

    /// <summary>Examines inner exceptions too, since EF Core wraps the exceptions of the driver.</summary>
    public Problem? Find(Exception exception) => exception switch
    {
        DbUpdateConcurrencyException => Overtaken,
        PostgresException refused => ToProblem(refused),
        { InnerException: { } inner } => Find(inner),
        _ => null,
    };

    public Problem? ToProblem(PostgresException refused) => refused.SqlState switch
    {
        PostgresErrorCodes.UniqueViolation or PostgresErrorCodes.ForeignKeyViolation =>
            OfConstraint(refused.ConstraintName),
        PostgresErrorCodes.DeadlockDetected or PostgresErrorCodes.SerializationFailure => Overtaken,
        PostgresErrorCodes.LockNotAvailable => LockTimeout,
        // JSON text may contain a NUL character, and PostgreSQL's text may not.
        PostgresErrorCodes.CharacterNotInRepertoire => new(
            StatusCodes.Status400BadRequest, "request.invalid", "Text must not contain the character U+0000."),
        _ => null,
    };

    private Problem OfConstraint(string? name)
    {
        if (name is not null && known.TryGetValue(name, out var problem))
            return Problem.Conflict(problem.Code, problem.Detail);
        // A process keeps some ids in advance, and a sequence may give them out again after PostgreSQL has lost a
        // transaction that was not committed. Another attempt takes other ids.
        return name?.EndsWith("_pkey", StringComparison.Ordinal) == true
            ? Overtaken
            : Problem.Conflict("data.conflict", "The change contradicts other data.");
    }
}
