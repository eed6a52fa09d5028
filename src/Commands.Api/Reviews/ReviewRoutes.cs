using ApexShop.Resources;

namespace ApexShop.Commands.Api.Reviews;

internal static class ReviewRoutes
{
    public static void MapReviews(this IEndpointRouteBuilder app)
    {
        var reviews = app.MapGroup("/reviews").WithTags(Resource.Reviews.Name);
        CreateReview.Map(reviews);
        BulkCreateReviews.Map(reviews);
        UpdateReview.Map(reviews);
        PatchReview.Map(reviews);
        BulkUpdateReviews.Map(reviews);
        DeleteReview.Map(reviews);
        BulkDeleteReviews.Map(reviews);
        DeleteOldReviews.Map(reviews);
    }
}
