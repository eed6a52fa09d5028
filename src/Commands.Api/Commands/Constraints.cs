using ApexShop.Commands.Api.Users;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace ApexShop.Commands.Api.Commands;

/// <summary>What a constraint that refused a row says to the caller; its name never leaves the process.</summary>
internal static class Constraints
{
    /// <summary>Looks at what an exception wraps too, since EF Core wraps what the driver threw.</summary>
    public static Problem? Find(Exception exception) => exception switch
    {
        DbUpdateConcurrencyException => Overtaken,
        PostgresException refused => ToProblem(refused),
        { InnerException: { } inner } => Find(inner),
        _ => null,
    };

    public static Problem? ToProblem(PostgresException refused) => refused.SqlState switch
    {
        PostgresErrorCodes.UniqueViolation or PostgresErrorCodes.ForeignKeyViolation => OfName(refused.ConstraintName),
        PostgresErrorCodes.DeadlockDetected or PostgresErrorCodes.SerializationFailure => Overtaken,
        // JSON has a NUL character and PostgreSQL's text has none.
        PostgresErrorCodes.CharacterNotInRepertoire => new(StatusCodes.Status400BadRequest, "request.invalid", "Text must not contain the character U+0000."),
        _ => null,
    };

    public static Problem Overtaken => Problem.Conflict("version.overtaken", "The resource was changed at the same moment; try again.");

    private static Problem OfName(string? constraint) => constraint switch
    {
        "products_category_id_fkey" => Problem.Conflict("product.category_unknown", "The product's category does not exist."),
        "orders_user_id_fkey" => Problem.Conflict("order.user_unknown", "The order's user does not exist."),
        "reviews_product_id_fkey" => Problem.Conflict("review.product_unknown", "The review's product does not exist."),
        "reviews_user_id_fkey" => Problem.Conflict("review.user_unknown", "The review's user does not exist."),
        "reviews_product_id_user_id_idx" => Problem.Conflict("review.exists", "The user has reviewed this product already."),
        UserTable.UniqueEmail => Problem.Conflict("user.email_taken", "Another user has this e-mail address."),
        _ => Problem.Conflict("data.conflict", "The change contradicts other data."),
    };
}
